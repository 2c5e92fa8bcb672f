import { keysOf, type Identity } from './contact-record/identity.js';
import { locationOf, type Declarations } from './declarations.js';
import { ResourceError } from './errors.js';
import { problem, type Problem } from '../messages/index.js';

/** An event that creates a contact: announced by a plan, or sent by a run. */
export interface CreationOf {
  readonly identity: Identity;
  /** The declaration that asks for it: `line 7 of Contacts 'customers'`. */
  readonly where: string;
}

/** Whether a state knows somebody, whose contact may be gone. */
export type Knows = (identity: Identity) => boolean;

/** Why no event creates a person. */
export type NotCreated =
  /** A state knows the contact. */
  | { readonly kind: 'gone' }
  /** A declaration says "no mail". */
  | { readonly kind: 'notCreated'; readonly by: string };

/** The event was sent in this run, by another declaration. */
export type Sent = { readonly kind: 'sent' };

/** Who may be created is asked here, of all that this process knows so far. */
export class Creations {
  readonly #states: Knows[] = [];
  readonly #announced = new Map<string, CreationOf>();
  readonly #sent = new Map<string, CreationOf>();
  /** Events on their way, by key: the second one waits. */
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** Whether this process has begun to write. A preview never does. */
  isWriting = false;

  constructor(private readonly declarations: Declarations) {}

  /** Notes whom a state knows that was read or written. A row that leaves its list stays known in this run. */
  noteState(knows: Knows): void {
    this.#states.push(knows);
  }

  /** Why no event creates this person; `undefined` where one may. */
  refusalOf(identity: Identity): NotCreated | Sent | undefined {
    if (this.hasSent(identity)) return { kind: 'sent' };
    const declared = this.declarations.find(keysOf(identity));
    const by = declared.find(({ values }) => values['subscribed'] === false);
    if (by !== undefined) return { kind: 'notCreated', by: locationOf(by) };
    const isKnown = this.#states.some((knows) => knows(identity));
    return isKnown ? { kind: 'gone' } : undefined;
  }

  /** Notes that a plan tells of an event. @returns why none is sent, also where another plan tells of it. */
  announce(creation: CreationOf): NotCreated | Sent | undefined {
    const keys = keysOf(creation.identity);
    const others = keys.flatMap((key) => this.#announced.get(key) ?? []);
    if (others.some(({ where }) => where !== creation.where)) return { kind: 'sent' };
    const refusal = this.refusalOf(creation.identity);
    if (refusal === undefined) for (const key of keys) this.#announced.set(key, creation);
    return refusal;
  }

  /**
   * Sends the event for a person, unless there is a reason not to.
   *
   * @param send resolves with how it failed, or with `undefined` where the event was sent.
   * @returns the reason, or how it failed.
   */
  async create<Failed>(
    creation: CreationOf,
    send: () => Promise<Failed | undefined>,
  ): Promise<NotCreated | Sent | Failed | undefined> {
    const keys = keysOf(creation.identity);
    const others = keys.flatMap((key) => this.#underWay.get(key) ?? []);
    if (others.length > 0) {
      await Promise.all(others);
      // Another one may have begun during the wait.
      return this.create(creation, send);
    }
    const refusal = this.refusalOf(creation.identity);
    if (refusal !== undefined) return refusal;
    const sending = send();
    for (const key of keys) this.#underWay.set(key, sending);
    try {
      const failed = await sending;
      if (failed === undefined) for (const key of keys) this.#sent.set(key, creation);
      return failed;
    } finally {
      for (const key of keys) this.#underWay.delete(key);
    }
  }

  /** Whether this run has sent the event for a person. */
  hasSent(identity: Identity): boolean {
    return keysOf(identity).some((key) => this.#sent.has(key));
  }

  /**
   * Events that a resource forbids, and that came before it: for people who want no mail, or whom its state knows.
   *
   * @param by the resource.
   * @returns what a run says once it has written the resource.
   * @throws ResourceError at preview.
   */
  tooEarly(optedOut: readonly Identity[], knows: Knows, by: string): Problem[] {
    const events = new Set((this.isWriting ? this.#sent : this.#announced).values());
    if (events.size === 0) return [];
    const keys = new Set(optedOut.flatMap((identity) => keysOf(identity)));
    const early = [...events].filter(
      ({ identity }) => knows(identity) || keysOf(identity).some((key) => keys.has(key)),
    );
    const rows = early.map(({ where }) => where);
    if (rows.length === 0) return [];
    if (this.isWriting) return [problem('event.sentTooEarly', { rows, by })];
    throw new ResourceError(problem('event.tooEarly', { rows, by }));
  }
}
