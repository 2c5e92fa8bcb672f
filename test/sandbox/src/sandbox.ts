import { Account } from './account/account.js';
import type { ContactRecord } from './account/contact-record.js';
import { noJournal, type Journal } from './account/journal.js';
import { Clock, type ClockChange } from './clock.js';
import { Faults } from './faults/faults.js';
import { RateLimiter, rateLimitSchema, type RateLimit } from './faults/rate-limit.js';
import { Finder } from './find/finder.js';
import { readProfile, type NewProfile, type Profile } from './profile.js';
import { applySeed } from './seed/apply-seed.js';
import { DEFAULT_SEED } from './seed/default-seed.js';
import { readAs } from './read-as.js';
import { DEFAULT_API_KEY, type SandboxOptions } from './sandbox-options.js';
import { SandboxError } from './sandbox-error.js';
import { settingsSchema, type Settings } from './settings.js';

/** Tells that something of a kind has changed: `emails`, `requests`, `faults`, `clock`, ... */
export type Listener = (kind: string) => void;

/** What is kept under the kind `settings`. */
const SETTINGS = 'settings';

/** The service on this machine, without its HTTP face: one account, a clock, faults, a profile. */
export class Sandbox {
  readonly apiKey: string;
  readonly prefix: string;
  readonly clock = new Clock();
  readonly account: Account;
  readonly faults: Faults;
  readonly rateLimiter: RateLimiter;
  readonly finder: Finder;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<Listener>();
  readonly #startingLimit: RateLimit | undefined;
  readonly #startingProfile: Profile;
  #profile: Profile;
  #kept: Settings;
  #seed: unknown;

  /**
   * @param options rate limit and profile win over what the journal holds
   * @param journal where everything is written
   * @throws SandboxError that names what is wrong in the seed or the profile
   */
  constructor(
    { apiKey = DEFAULT_API_KEY, seed, rateLimit, profile, prefix = '' }: SandboxOptions,
    journal: Journal,
  ) {
    this.apiKey = apiKey;
    this.prefix = prefix;
    this.#seed = seed ?? DEFAULT_SEED;
    this.#startingLimit = rateLimit;
    this.#startingProfile = readProfile(profile ?? {});
    this.#profile = this.#startingProfile;
    this.account = new Account(this.clock, journal, (kind) => this.#tell(kind));
    this.faults = new Faults(() => this.#changed('faults'));
    this.rateLimiter = new RateLimiter(this.clock);
    this.rateLimiter.set(rateLimit);
    this.finder = new Finder(this.account, this.#closing.signal);
    for (const kept of journal.load(SETTINGS, settingsSchema)) {
      this.#apply({
        ...kept,
        ...(rateLimit === undefined ? {} : { rateLimit }),
        ...(profile === undefined ? {} : { profile: this.#startingProfile }),
      });
    }
    this.#kept = this.#settings();
    if (this.account.untouched) this.load(this.#seed);
  }

  /** Aborted when the sandbox closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Replaces everything by a seed, which later resets go back to. @throws SandboxError 400 that names what is wrong in it. */
  load(seed: unknown): void {
    this.#seed = applySeed(this.account, seed, new Account(this.clock, noJournal));
  }

  /** The sandbox was reset: the seed; no mails, events, log, keys or faults; the first rate limit and profile; the machine's time. */
  reset(): void {
    this.clock.reset();
    this.faults.clear();
    this.rateLimiter.set(this.#startingLimit);
    this.#profile = this.#startingProfile;
    this.load(this.#seed);
    this.#changed('clock', 'faults', 'profile');
  }

  /** Empties emails, events and the log of requests, and forgets the used idempotency keys. */
  clear(): void {
    const { emails, events, requests, keys } = this.account;
    for (const collection of [emails, events, requests, keys]) collection.clear();
  }

  /** Sets a rate limit; `undefined` lifts it. @throws SandboxError 400 that names what is wrong with it. */
  limitRate(limit: RateLimit | undefined): void {
    this.rateLimiter.set(limit && readAs(rateLimitSchema, limit));
    this.#changed('faults');
  }

  /** The present behaviour of the service where the interface does not define it. */
  get profile(): Profile {
    return this.#profile;
  }

  /** Sets the profile; what is left out is as in its preset. @throws SandboxError 400 that names what is wrong with it. */
  setProfile(profile: NewProfile): void {
    this.#profile = readProfile(profile);
    this.#changed('profile');
  }

  /** The contact with that email address, userId or id. @throws SandboxError 404 when there is none. */
  contactNamed(identifier: string): ContactRecord {
    const contact = this.account.contacts.named(identifier);
    if (contact === undefined) throw new SandboxError({ code: 'no_contact_named', id: identifier }, 404);
    return contact;
  }

  /** Deletes a contact. @throws SandboxError 404 when there is none with that email address, userId or id. */
  deleteContact(identifier: string): void {
    this.account.contacts.delete(this.contactNamed(identifier).id);
  }

  /** Moves the clock, stops it or lets it run on. @throws SandboxError 400 that names what is wrong with that. */
  changeClock(change: ClockChange): void {
    this.clock.change(change);
    this.account.forgetKeys();
    this.#changed('clock');
  }

  /** Calls back on every change, until the function that is returned is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#closing.abort();
    this.account.journal.close();
  }

  #settings(): Settings {
    return {
      clock: this.clock.state,
      faults: this.faults.state,
      rateLimit: this.rateLimiter.limit ?? null,
      profile: this.#profile,
    };
  }

  #apply({ clock, faults, rateLimit, profile }: Settings): void {
    this.clock.state = clock;
    this.faults.state = faults;
    // The same limit keeps what is in its bucket.
    const limit = rateLimit ?? undefined;
    if (limit !== this.rateLimiter.limit) this.rateLimiter.set(limit);
    this.#profile = profile;
  }

  /** Stores the settings, and reports the kinds of things that have changed. */
  #changed(...kinds: readonly string[]): void {
    const before = this.#kept;
    const kept = this.#settings();
    this.#kept = kept;
    this.account.journal.put(SETTINGS, { id: SETTINGS, ...kept }, () => {
      this.#kept = before;
      this.#apply(before);
    });
    for (const kind of kinds) this.#tell(kind);
  }

  #tell(kind: string): void {
    for (const listener of this.#listeners) listener(kind);
  }
}
