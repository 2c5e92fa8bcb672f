import { AudienceError, ConflictError, InvalidRequestError, NotFoundError } from 'audience-core';
import type { CallOptions } from 'audience-core';
import { IDEMPOTENCY_KEY_LIFETIME_MS } from 'audience-core/internal';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hashOf } from '../host/hash.js';
import { EarlierAttempt, InputProblem } from '../messages/errors.js';
import { runOfNode } from './anchor.js';
import type { RunOfNode } from './anchor.js';
import { contentHash, keyOfContent, keyOfPerson, keyOfRun } from './key.js';
import type { Sending } from './key.js';
import { ItemStore, storeOf } from './store.js';
import type { Entry } from './store.js';

/** For how long a request without a response may be at work: until then a used key proves nothing. */
const MAY_BE_AT_WORK_MS = 10 * 60_000;

/** For how long a Retry relies on what the service remembers: its 24 hours, less the time of a long run. */
const REMEMBERED_MS = IDEMPOTENCY_KEY_LIFETIME_MS - 30 * 60_000;

/** How an item goes out. */
export interface Dispatch {
  readonly idempotencyKey: string;
  readonly ifKeyIsUsed: NonNullable<CallOptions['ifKeyIsUsed']>;
}

/** Which key an item goes out with: one per run, one per content, or the person's own. */
export type KeyChoice =
  { readonly by: 'run' } | { readonly by: 'content' } | { readonly by: 'person'; readonly key: string };

/** Rule 2 of the design: an input item is carried out once per run of the workflow. */
export class OnceOnly {
  readonly run: RunOfNode;
  readonly #store: ItemStore;
  readonly #identities: { readonly json: string; readonly before: number }[] = [];
  readonly #alike = new Map<string, number>();
  /** Contents and items by the person's own keys. */
  readonly #contents = new Map<string, Map<number, string>>();

  /**
   * @param account tells the service and its account from others.
   * @param operation such as `email.send`.
   */
  constructor(
    private readonly context: IExecuteFunctions,
    account: string,
    private readonly operation: string,
  ) {
    this.run = runOfNode(context);
    this.#store = new ItemStore(storeOf(context), [account, this.run.node, this.run.number].join(' '));
  }

  /** To be called once for each input item, in order, before anything is sent. */
  note(itemIndex: number): void {
    const json = hashOf(this.context.getInputData()[itemIndex]?.json ?? {});
    const before = this.#alike.get(json) ?? 0;
    this.#alike.set(json, before + 1);
    this.#identities[itemIndex] = { json, before };
  }

  /** The output of an item that an earlier try of this run has carried out. */
  outputOf(itemIndex: number): readonly IDataObject[] | undefined {
    return this.#entry(this.#idOf(itemIndex))?.done;
  }

  /** Whether an earlier try may have carried out an item. */
  isUnclear(itemIndex: number): boolean {
    return this.#entry(this.#idOf(itemIndex))?.unclearSince !== undefined;
  }

  /**
   * The key of an item.
   *
   * @throws InputProblem in a Retry of a call that the service may have forgotten.
   */
  dispatchOf(itemIndex: number, choice: KeyChoice, sending: Sending): Dispatch {
    const entry = this.#entry(this.#idOf(itemIndex, sending));
    const isUnknown = this.run.isRetry && entry === undefined;
    const age = Date.now() - (entry?.unclearSince ?? (isUnknown ? this.run.begunAt : Date.now()));
    if (age > REMEMBERED_MS) throw forgotten(age);
    const isUnclear = entry?.unclearSince !== undefined;
    const isSentBefore = isUnclear ? age >= MAY_BE_AT_WORK_MS : isUnknown || choice.by !== 'run';
    return {
      idempotencyKey: this.#keyOf(itemIndex, choice, sending, entry?.refusals ?? 0),
      ifKeyIsUsed: isSentBefore ? 'sent-before' : 'fail',
    };
  }

  /** Items with one own key for different contents: the service would carry out only one of them. */
  itemsWithOneKey(): number[] {
    return [...this.#contents.values()].flatMap((contents) =>
      new Set(contents.values()).size > 1 ? [...contents.keys()] : [],
    );
  }

  /**
   * Carries an item out and notes what came of it.
   *
   * @param sending what goes out; nothing for a call without a key.
   * @throws what `call` throws; EarlierAttempt where that says nothing of an earlier attempt.
   */
  async carryOut(
    itemIndex: number,
    call: () => Promise<readonly IDataObject[]>,
    sending?: Sending,
  ): Promise<readonly IDataObject[]> {
    const id = this.#idOf(itemIndex, sending);
    if (id === undefined) return await call();
    const { done, unclearSince: since } = this.#entry(id) ?? {};
    if (done !== undefined) return done.map((output) => ({ ...output, deduplicated: true }));
    const output = await call().catch((error: unknown) => {
      throw this.#noteFailure(id, since, error);
    });
    this.#store.noteDone(id, output);
    return output;
  }

  #noteFailure(id: string, since: number | undefined, error: unknown): unknown {
    if (!(error instanceof AudienceError)) return error;
    // A used key was only asked about: no request of now is at work.
    const isAsked = error instanceof ConflictError && error.attempts === 1;
    if (error.unclear) this.#store.noteUnclear(id, isAsked ? (since ?? Date.now()) : Date.now());
    else if (since !== undefined) return new EarlierAttempt(error);
    else if (error instanceof InvalidRequestError || error instanceof NotFoundError)
      this.#store.noteRefused(id);
    return error;
  }

  /** To be called when all items have succeeded: no Retry needs them. */
  end(): void {
    if (this.run.number !== 'tool') this.#store.drop();
  }

  #keyOf(itemIndex: number, choice: KeyChoice, sending: Sending, refusals: number): string {
    const { run, operation } = this;
    if (choice.by === 'content') return keyOfContent(operation, sending);
    if (choice.by === 'run') {
      const { json, before } = this.#identities[itemIndex] ?? { json: '', before: 0 };
      return keyOfRun({ run, operation, json, before, refusals }, sending);
    }
    const key = keyOfPerson(choice.key, operation, sending);
    const contents = this.#contents.get(key) ?? new Map<number, string>();
    this.#contents.set(key, contents.set(itemIndex, contentHash(sending)));
    return key;
  }

  /** A Retry has the same input items, so the index is enough. A model gives no items: there the content is the id. */
  #idOf(itemIndex: number, sending?: Sending): string | undefined {
    if (this.run.number !== 'tool') return `${this.operation} ${itemIndex}`;
    return sending && `${this.operation} ${hashOf([sending.designOrEvent, contentHash(sending)])}`;
  }

  #entry(id: string | undefined): Entry | undefined {
    return id === undefined ? undefined : this.#store.of(id);
  }
}

function forgotten(age: number): InputProblem {
  return new InputProblem(
    `This run began ${Math.round(age / 3_600_000)} hours ago, and the service remembers for 24 hours what it was sent`,
    'Look up what was sent, and start a new run for the rest.',
  );
}
