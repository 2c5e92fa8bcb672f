import { AudienceError, ConflictError, InvalidRequestError, NotFoundError } from 'audience-core';
import { IDEMPOTENCY_KEY_LIFETIME_MS } from 'audience-core/internal';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hashOf } from '../host/host.js';
import { InputProblem } from '../problem.js';
import type { Prepared, Sending } from '../item/operation.js';
import type { Session } from '../service/session.js';
import { runOfNode, type RunOfNode } from './anchor.js';
import { contentHash, keyOfPerson, keyOfRun, OwnKeys, type Identity } from './key.js';
import { storeOf, type Bucket, type Entry, type Store } from './store.js';

/** For how long a Retry relies on what the service remembers: its 24 hours, less the time of a long run. */
const REMEMBERED_MS = IDEMPOTENCY_KEY_LIFETIME_MS - 30 * 60_000;

/** Carries out an item that is prepared. */
export type Departure = (signal: AbortSignal | undefined) => Promise<readonly IDataObject[]>;

/** Rule 2 of the design: an input item is carried out once per run of the workflow. */
export class OnceOnly {
  readonly keys = new OwnKeys();
  readonly run: RunOfNode;
  readonly #store: Store;
  readonly #bucketName: string;
  readonly #bucket: Bucket;
  readonly #identities: Identity[] = [];
  readonly #alike = new Map<string, number>();

  /** @param operation such as `email.send`. */
  constructor(
    private readonly context: IExecuteFunctions,
    session: Session,
    private readonly operation: string,
  ) {
    this.#store = storeOf(context);
    this.run = runOfNode(context);
    const { node, number, isLost, begunAt } = this.run;
    this.#bucketName = [session.api.baseUrl, operation, node, number].join(' ');
    this.#bucket = this.#store.runs[this.#bucketName] ??= { since: isLost ? begunAt : Date.now(), items: {} };
  }

  /** Whether it is known for how long the service remembers a key. */
  get isOfEmail(): boolean {
    return this.operation.startsWith('email.');
  }

  /** @throws InputProblem in a Retry whose keys would be new: what was sent before would be sent again. */
  assertAnchor(): void {
    const { anchor, isSubWorkflow } = this.run;
    if (anchor !== undefined) return;
    throw new InputProblem({ code: isSubWorkflow ? 'lost-sub-workflow' : 'lost-run' });
  }

  /** To be called for each input item, in order, before anything is sent. */
  note(itemIndex: number): void {
    const json = hashOf(this.context.getInputData()[itemIndex]?.json ?? {});
    const before = this.#alike.get(json) ?? 0;
    this.#alike.set(json, before + 1);
    this.#identities[itemIndex] = [json, before];
  }

  /** The output of an item that an earlier try of this run has carried out, whatever was corrected since. */
  outputOf(itemIndex: number): readonly IDataObject[] | undefined {
    return this.#entry(this.#placeOf(itemIndex)).output;
  }

  /** Whether an earlier try of this run may have carried an item out. */
  isOpen(itemIndex: number): boolean {
    return this.#entry(this.#placeOf(itemIndex)).isOpen;
  }

  /**
   * Chooses the key of an item. The departure carries it out, and notes what came of it, also for those that share its
   * end. A user's own key may have been used in another run.
   */
  departureOf(itemIndex: number, { call, sending }: Prepared, ownKey?: string): Departure {
    const place = this.#placeOf(itemIndex, sending);
    const idempotencyKey = sending && this.#keyOf(itemIndex, place, sending, ownKey);
    return async (signal) => {
      const { isOpen, refusals, output: done } = this.#entry(place);
      // A model may make two equal calls at once.
      if (done !== undefined) return done.map((output) => ({ ...output, deduplicated: true }));
      const key = idempotencyKey === undefined ? {} : { idempotencyKey, earlierRequest: isOpen };
      const output = await call({ options: { signal, ...key }, isOpen }).catch((error: unknown) => {
        // The store may be older than what was sent, and a user's own key may be of another run.
        const mayBeOther = error instanceof ConflictError && (this.run.isRetry || ownKey !== undefined);
        if (mayBeOther) Object.assign(error, { unclear: true });
        if (isOpen || (error instanceof AudienceError && error.unclear))
          this.#note(itemIndex, place, { isOpen: true, refusals });
        else if (error instanceof InvalidRequestError || error instanceof NotFoundError)
          this.#note(itemIndex, place, { isOpen: false, refusals: refusals + 1 });
        throw error;
      });
      this.#note(itemIndex, place, { isOpen: false, refusals, output });
      return output;
    };
  }

  /** Ends a run of the node that does not stop the workflow. If all items are done, no Retry needs to know of them. */
  end(done: number): void {
    if (this.run.number !== 'tool' && done === this.context.getInputData().length)
      Reflect.deleteProperty(this.#store.runs, this.#bucketName);
  }

  #keyOf(itemIndex: number, place: string | undefined, sending: Sending, ownKey?: string): string {
    const { isOpen, refusals } = this.#entry(place);
    const age = Date.now() - this.#bucket.since;
    if (isOpen && age > REMEMBERED_MS) {
      const code = this.run.isLost ? 'forgotten-run' : 'forgotten-key';
      throw new InputProblem({ code, given: Math.round(age / 3_600_000) });
    }
    const identity = this.#identities[itemIndex] ?? ['', 0];
    if (ownKey === undefined) return keyOfRun(this.run, this.operation, identity, sending, refusals);
    const key = keyOfPerson(ownKey, this.operation, sending);
    this.keys.note(itemIndex, key, sending);
    return key;
  }

  /** A model gives no items: there it is the content. */
  #placeOf(itemIndex: number, sending?: Sending): string | undefined {
    if (this.run.number === 'tool') return sending && contentHash(sending);
    return `${itemIndex} ${this.#identities[itemIndex]?.[0].slice(0, 12)}`;
  }

  #note(itemIndex: number, place: string | undefined, entry: Entry): void {
    if (place === undefined) return;
    this.#bucket.items[place] = entry;
    for (const twin of this.keys.twinsOf(itemIndex) ?? [])
      this.#bucket.items[this.#placeOf(twin) ?? ''] = entry;
  }

  #entry(place: string | undefined): Entry {
    const known = place === undefined ? undefined : this.#bucket.items[place];
    return known ?? { isOpen: this.run.isLost, refusals: 0 };
  }
}
