import { Account } from './account/account.js';
import { noJournal } from './account/journal.js';
import type { Journal } from './account/journal.js';
import { Clock } from './clock.js';
import { Faults } from './faults/faults.js';
import { RateLimiter } from './faults/rate-limiter.js';
import type { RateLimit } from './faults/rate-limit.js';
import { EmailWaiter } from './mail/email-waiter.js';
import { profileSchema } from './profile.js';
import type { NewProfile, Profile } from './profile.js';
import { applySeed } from './seed/apply-seed.js';
import { DEFAULT_SEED } from './seed/default-seed.js';
import { readAs } from './service/problem.js';

/** Tells that something of a kind has changed: `emails`, `requests`, `faults`, `clock`, ... */
export type Listener = (kind: string) => void;

/** The service on this machine, without its HTTP face: one account, a clock, faults, a profile. */
export class Sandbox {
  readonly clock = new Clock();
  readonly account: Account;
  readonly faults: Faults;
  readonly rateLimiter: RateLimiter;
  readonly waiter: EmailWaiter;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<Listener>();
  readonly #startingProfile: Profile;
  #profile: Profile;
  #seed: unknown;

  /** @throws Problem 400 that names what is wrong in the seed or the profile. */
  constructor(
    readonly apiKey: string,
    seed: unknown = DEFAULT_SEED,
    journal: Journal = noJournal,
    private readonly startingLimit?: RateLimit,
    startingProfile: NewProfile = {},
  ) {
    this.#seed = seed;
    this.#startingProfile = readAs(profileSchema, startingProfile);
    this.#profile = this.#startingProfile;
    this.account = new Account(this.clock, journal, (kind) => {
      this.#changed(kind);
    });
    this.faults = new Faults(() => {
      this.#changed('faults');
    });
    this.rateLimiter = new RateLimiter(this.clock);
    this.rateLimiter.set(startingLimit);
    this.waiter = new EmailWaiter(this.account, this.#closing.signal);
    if (this.account.untouched) this.#applySeed(seed);
  }

  /** Aborted when the sandbox closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Replaces everything by a seed, which later resets go back to. @throws Problem 400 that names what is wrong in it. */
  load(seed: unknown): void {
    this.#applySeed(seed);
    this.#seed = seed;
  }

  /** Back to the start: the seed; no mails, events, log, keys or faults; the first rate limit and profile; the machine's time. */
  reset(): void {
    this.clock.reset();
    this.faults.clear();
    this.rateLimiter.set(this.startingLimit);
    this.setProfile(this.#startingProfile);
    this.#applySeed(this.#seed);
    this.#changed('clock');
  }

  /** Sets a rate limit; `undefined` lifts it. */
  limitRate(limit: RateLimit | undefined): void {
    this.rateLimiter.set(limit);
    this.#changed('faults');
  }

  /** The ways of the service that the interface leaves open, as they are now. */
  get profile(): Profile {
    return this.#profile;
  }

  /** Sets the profile; what is left out has its default. @throws Problem 400 that names what is wrong with it. */
  setProfile(profile: NewProfile): void {
    this.#profile = readAs(profileSchema, profile);
    this.#changed('profile');
  }

  /** Moves the clock. */
  moveClock(move: (clock: Clock) => void): void {
    move(this.clock);
    this.#changed('clock');
  }

  /** Calls back on every change, until the function that is returned is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Ends every wait and lets the data file go. */
  close(): void {
    this.#closing.abort();
    this.account.journal.close();
  }

  #applySeed(seed: unknown): void {
    applySeed(this.account, seed, new Account(this.clock, noJournal));
  }

  #changed(kind: string): void {
    if (kind === 'emails') this.waiter.look();
    for (const listener of this.#listeners) listener(kind);
  }
}
