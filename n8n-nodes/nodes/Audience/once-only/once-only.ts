import { AudienceError, ConflictError, InvalidRequestError, NotFoundError } from 'audience-core';
import { IDEMPOTENCY_KEY_LIFETIME_MS } from 'audience-core/internal';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hashOf } from '../host/host.js';
import { InputProblem } from '../problem.js';
import type { Call, Prepared, Sending } from '../item/operation.js';
import type { Session } from '../service/session.js';
import { runOfNode, type RunOfNode } from './anchor.js';
import { contentHash, keyOfPerson, keyOfRun, OwnKeys, type Place } from './key.js';
import { callsUnderWay, storeOf, type Bucket, type Entry, type Store } from './store.js';

/** For how long a Retry relies on what the service remembers: its 24 hours, less the time of a long run. */
const REMEMBERED_MS = IDEMPOTENCY_KEY_LIFETIME_MS - 30 * 60_000;

/** An item that is prepared. */
export interface Departure {
  /** The user's own key: items that have the same one are carried out one after the other, and sent once. */
  readonly shared?: string | undefined;
  readonly carryOut: (signal: AbortSignal | undefined) => Promise<readonly IDataObject[]>;
}

interface Task {
  readonly place: Place;
  readonly call: Call;
  readonly key: string | undefined;
  readonly shared: string | undefined;
}

/** An input item is carried out once per run of the workflow. */
export class OnceOnly {
  readonly keys = new OwnKeys();
  readonly run: RunOfNode;
  readonly #store: Store;
  readonly #bucketName: string;
  readonly #bucket: Bucket;
  readonly #places: Place[] = [];
  readonly #alike = new Map<string, number>();
  /** By the user's own key: what came of it in this run of the node. */
  readonly #sharedEnds = new Map<string, Entry>();

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

  /** @throws InputProblem in a Retry whose keys would be new: what was sent before would be sent again. */
  assertAnchor(): void {
    const { anchor, isSubWorkflow } = this.run;
    if (anchor === undefined) throw new InputProblem({ code: 'lost-run', isSubWorkflow });
  }

  /** To be called for each input item, in order, before anything is sent. */
  note(itemIndex: number): void {
    const json = hashOf(this.context.getInputData()[itemIndex]?.json ?? {});
    const before = this.#alike.get(json) ?? 0;
    this.#alike.set(json, before + 1);
    this.#places[itemIndex] = {
      name: `${itemIndex} ${json.slice(0, 12)}`,
      identity: [this.run.number, json, before],
    };
  }

  /** The output of an item that an earlier try of this run has carried out, whatever was corrected since. */
  outputOf(itemIndex: number): readonly IDataObject[] | undefined {
    const entry = this.#entryOf(this.#placeOf(itemIndex));
    return entry.state === 'done' ? entry.output : undefined;
  }

  /** Whether an earlier try of this run may have carried an item out. */
  isOpen(itemIndex: number): boolean {
    return this.#entryOf(this.#placeOf(itemIndex)).state === 'open';
  }

  /** Chooses the key of an item. The departure carries it out, and notes what came of it. */
  departureOf(itemIndex: number, { call, sending }: Prepared, ownKey?: string): Departure {
    const place = this.#placeOf(itemIndex, sending);
    if (place === undefined) return { carryOut: (signal) => call({ signal }) };
    const key = sending && this.#keyOf(itemIndex, place, sending, ownKey);
    const shared = ownKey === undefined ? undefined : key;
    const task: Task = { place, call, key, shared };
    const calls = callsUnderWay(this.#bucket);
    if (this.run.number === 'tool') calls.add(place.name);
    return {
      shared,
      carryOut: (signal) => this.#carryOut(task, signal).finally(() => calls.delete(place.name)),
    };
  }

  async #carryOut({ place, call, key, shared }: Task, signal?: AbortSignal): Promise<readonly IDataObject[]> {
    const entry = this.#sharedEnds.get(shared ?? '') ?? this.#entryOf(place);
    if (entry.state === 'done') {
      this.#note(place, entry, shared);
      return entry.output.map((output) => ({ ...output, deduplicated: true }));
    }
    const earlierRequest = entry.state === 'open';
    const keyed = key === undefined ? {} : { idempotencyKey: key, earlierRequest };
    const output = await call({ signal, ...keyed }).catch((error: unknown) => {
      this.#noteFailure(error, place, entry.times, shared);
      throw error;
    });
    this.#note(place, { state: 'done', output }, shared);
    return output;
  }

  #noteFailure(error: unknown, place: Place, times: number, shared?: string): void {
    // The store may be older than what was sent, and a user's own key may be of another run.
    if (error instanceof ConflictError && (this.run.isRetry || shared !== undefined))
      Object.assign(error, { unclear: true });
    const isUnclear = error instanceof AudienceError && error.unclear;
    const isRefused = error instanceof InvalidRequestError || error instanceof NotFoundError;
    if (isUnclear) this.#note(place, { state: 'open', times }, shared);
    else if (isRefused) this.#note(place, { state: 'refused', times: times + 1 }, shared);
  }

  /** Ends a run of the node that does not stop the workflow. If all items are done, no Retry needs to know of them. */
  end(done: number): void {
    if (this.run.number !== 'tool' && done === this.context.getInputData().length)
      Reflect.deleteProperty(this.#store.runs, this.#bucketName);
  }

  #keyOf(itemIndex: number, place: Place, sending: Sending, ownKey?: string): string {
    const entry = this.#entryOf(place);
    const age = Date.now() - this.#bucket.since;
    if (entry.state === 'open' && age > REMEMBERED_MS) {
      const { isLost, isSubWorkflow } = this.run;
      const names = [isLost ? 'The execution' : 'The node'];
      throw new InputProblem({ code: 'forgotten', names, given: Math.round(age / 3_600_000), isSubWorkflow });
    }
    const times = entry.state === 'done' ? 0 : entry.times;
    if (ownKey === undefined) return keyOfRun(this.run, this.operation, place, sending, times);
    const key = keyOfPerson(ownKey, this.operation, sending);
    this.keys.note(itemIndex, key, sending);
    return key;
  }

  /** A call by a model has a place where it sends something. */
  #placeOf(itemIndex: number, sending?: Sending): Place | undefined {
    if (this.run.number !== 'tool') return this.#places[itemIndex];
    return sending && this.#placeOfCall(contentHash(sending));
  }

  /** The first place of this content that no other call of this execution has, done or under way. */
  #placeOfCall(content: string): Place {
    const calls = callsUnderWay(this.#bucket);
    for (let number = 0; ; number += 1) {
      const name = `${number} ${content}`;
      const entry = this.#bucket.items[name];
      const isDone = entry?.state === 'done' && entry.execution === this.run.execution;
      if (!isDone && !calls.has(name)) return { name, identity: ['tool', content, number] };
    }
  }

  #note(place: Place, entry: Entry, shared: string | undefined): void {
    const { number, execution } = this.run;
    const isCall = number === 'tool' && entry.state === 'done';
    this.#bucket.items[place.name] = isCall ? { ...entry, execution } : entry;
    if (shared !== undefined) this.#sharedEnds.set(shared, entry);
  }

  #entryOf(place: Place | undefined): Entry {
    const known = place === undefined ? undefined : this.#bucket.items[place.name];
    return known ?? { state: this.run.isLost ? 'open' : 'refused', times: 0 };
  }
}
