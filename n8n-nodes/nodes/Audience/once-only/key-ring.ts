import { IDEMPOTENCY_KEY_LIFETIME_MS, isRecord } from 'audience-core/internal';
import { ConflictError } from 'audience-core';
import type { ContactUpdate, SendResult } from 'audience-core';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { KeyScope } from './execution.js';
import { ContactChanges } from './contact-changes.js';
import { executionOf, isTool } from '../helpers/host.js';
import { executionAnchor, runOfNode } from './execution.js';
import type { Missing } from '../expressions/missing-values.js';
import { hashOf, shortHash } from '../helpers/hash.js';
import { forgotten, keyInDoubt, twoContents, usedForAnotherContent } from './key-problems.js';
import { OwnKeys, readOwnKey } from './own-keys.js';
import { Repeats } from './repeats.js';
import { SentItems } from './sent-items.js';
import { Tries } from './tries.js';
import type { Dispatch } from './tries.js';
import { UnclearKeys } from './unclear-keys.js';

/** As the form's 'Send Once Per' has them. */
export const KEY_LIFETIMES = ['run', 'content'] as const;

/**
 * For how long a key counts: `run` for this run of the workflow and its retries; `content`, as a key of the person's
 * own, for new runs within 24 hours, too.
 */
export type KeyLifetime = (typeof KEY_LIFETIMES)[number];

/** An email or event on its way out. */
export interface Sending {
  /** `email.send` or `event.send`. */
  readonly operation: string;
  /** Whom it is for: address, User ID, or both, in this order. */
  readonly recipient: readonly [string | undefined, (string | undefined)?];
  /** Id of the design, or name of the event. */
  readonly designOrEvent: string;
  /** All that goes out. */
  readonly content: unknown;
  /** Fields of the contact that it sets. */
  readonly sets: ContactUpdate;
}

/** The key of an item. */
export interface ItemKey {
  readonly idempotencyKey: string;
  /** Of whom it is for and what it says: the same however the address is spelled, and whatever the key. */
  readonly hash: string;
  readonly keyScope: KeyScope;
  readonly lifetime: KeyLifetime;
}

/** Derives the idempotency keys of one run of one node. What all its items share is read once. */
export class KeyRing {
  readonly #runOfNode: readonly unknown[];
  /** Whether an earlier try of this run may have got to this node. */
  readonly isLaterTry: boolean;
  /** Whether the node has run in this run of the workflow before, as in a loop. */
  readonly isLaterBatch: boolean;
  /** When the first try of this run got to this node, at the earliest. */
  readonly #begunAt: number;
  readonly #isRetry: boolean;
  readonly #execution: string;
  readonly #owners: OwnKeys;
  readonly #repeats = new Repeats();
  /** `undefined` of a tool, as `tries`. */
  readonly #sentItems: SentItems | undefined;
  /** Those of the keys that were made. */
  readonly lifetimes = new Set<KeyLifetime>();

  /** The first item by content and person, however the address is spelled. */
  readonly #firstAlike = new Map<string, number>();
  /** Items that are sent although an earlier one of the run is the same, each with that one. */
  readonly alike = new Map<number, number>();
  /** What earlier tries have carried out; `undefined` of a tool, as each call of a model is for something else. */
  readonly tries: Tries | undefined;
  /** What the run has changed of contacts. */
  readonly changes: ContactChanges;
  /** What the run may have sent. */
  readonly unclear: UnclearKeys;

  /**
   * @param account tells the service and its account from others.
   * @param byForm of the keys to come, as the form has it; `undefined` where nothing is sent.
   */
  constructor(
    context: IExecuteFunctions,
    account: string,
    private readonly byForm: KeyLifetime | undefined,
  ) {
    const node = context.getNode();
    // A tool gets a new run index for every try of a model or of Retry On Fail, so that tells nothing: what a
    // model sends twice in one run, in the very same words, goes out once.
    const byModel = isTool(node);
    const runIndex = byModel ? 0 : Number(context.getWorkflowDataProxy(0).$runIndex);
    this.#isRetry = context.getMode() === 'retry';
    this.#execution = executionOf(context);
    const { number, begunAt } = runOfNode(context, runIndex);
    this.isLaterBatch = number > 0;
    this.isLaterTry = begunAt !== undefined;
    this.#begunAt = begunAt ?? Date.now();
    const run = byModel ? 'tool' : number;
    this.tries = byModel ? undefined : Tries.begin(context, number);
    this.#runOfNode = [executionAnchor(context), context.getWorkflow().id, node.id, run];
    this.#owners = new OwnKeys(context, run);
    this.#sentItems = byModel ? undefined : new SentItems(context, `${node.id} ${run} ${account}`);
    this.changes = new ContactChanges(context, run, account);
    this.unclear = new UnclearKeys(context, `${node.id} ${run}`, account);
  }

  /** The shortest of the keys, made or to come; `undefined` where nothing is sent. */
  get lifetime(): KeyLifetime | undefined {
    return KEY_LIFETIMES.find((one) => this.lifetimes.has(one)) ?? this.byForm;
  }

  /**
   * The same for the same content in the same run; a new run has another. Items that are alike are told apart by their
   * order, as rows may come and go before a retry reads them again.
   *
   * @throws InputProblem in a retry of what began so long ago that the service may have forgotten it.
   */
  forRun(itemIndex: number, sending: Sending): ItemKey {
    const { operation, content } = sending;
    const hash = hashOfSending(sending);
    const first = this.#firstAlike.get(hash) ?? itemIndex;
    this.#firstAlike.set(hash, first);
    if (first !== itemIndex) this.alike.set(itemIndex, first);
    const isSent = this.#sentItems?.find(itemIndex, hash) !== undefined;
    let number = this.#repeats.before(itemIndex, hashOf([operation, content]));
    let idempotencyKey: string;
    do {
      const named = [...this.#runOfNode, number, operation, content];
      idempotencyKey = `${OF_RUN}${this.#ofThisExecution(hashOf(named), named)}`;
      number += 1;
      // Another item may have it, of this try or of an earlier one.
    } while (
      !isSent &&
      (this.tries?.isOfAnotherItem(idempotencyKey, itemIndex) === true ||
        this.#sentItems?.isOfAnotherItem(idempotencyKey, itemIndex) === true)
    );
    if (!isSent) this.tries?.noteItemOf(idempotencyKey, itemIndex);
    return this.#keyOf(itemIndex, {
      idempotencyKey,
      hash,
      lifetime: 'run',
      keyScope: this.isLaterTry ? 'content' : 'call',
    });
  }

  /**
   * The same for the same content, in any workflow of the account.
   *
   * @throws InputProblem as `forRun`.
   */
  forContent(itemIndex: number, sending: Sending): ItemKey {
    const { operation, recipient, sets } = sending;
    // To set again what something else has changed in between is a change; an email is the same one again.
    const isChange = operation !== 'email.send' && Object.keys(sets).length > 0;
    const hash = hashOfSending(sending);
    const returns = isChange ? this.#repeats.returnsBefore(itemIndex, hashOf(personOf(recipient)), hash) : 0;
    const idempotencyKey = `n8n-content-${returns === 0 ? hash : hashOf([hash, returns])}`;
    return this.#keyOf(itemIndex, { idempotencyKey, hash, keyScope: 'content', lifetime: 'content' });
  }

  /**
   * The person's own key, bound to whom and what it is for: a slip in its expression can then never count as sent
   * what was sent to somebody else.
   *
   * @param missing values of its expression that are missing.
   * @throws InputProblem for a key in which a value is missing, and for one that two different mails of this run have;
   *   as `forRun`.
   */
  forOwnKey(own: unknown, missing: readonly Missing[], itemIndex: number, sending: Sending): ItemKey {
    const { operation, recipient, designOrEvent } = sending;
    const key = readOwnKey(own, missing);
    const wireKey = `${OF_PERSON}${hashOf([key, operation, personOf(recipient), designOrEvent])}`;
    const hash = hashOfSending(sending);
    const other = this.#owners.note(wireKey, itemIndex, hash);
    if (other !== undefined) throw twoContents(key, other);
    const earlier = this.#sentItems?.otherContent(wireKey, itemIndex, hash);
    if (earlier !== undefined) throw usedForAnotherContent(key, earlier);
    return this.#keyOf(itemIndex, {
      idempotencyKey: wireKey,
      hash,
      keyScope: 'content',
      lifetime: 'content',
    });
  }

  /** Names what an item changes: the same in each try. */
  nameOf(itemIndex: number, content: unknown): string {
    const hash = hashOf(content);
    return shortHash([hash, this.#repeats.before(itemIndex, hash)]);
  }

  /**
   * Notes that what a key is for is carried out.
   *
   * @returns whether a key of the person's own alone says so: the content may be another one than went out.
   */
  settle(
    itemIndex: number,
    { idempotencyKey, hash }: Dispatch,
    { deduplicated, attempts }: Pick<SendResult, 'deduplicated' | 'attempts'>,
  ): boolean {
    const wasUnclear = attempts > 1;
    const isOfAnotherPlace = this.#owners.isDoneElsewhere(idempotencyKey);
    const known = this.#sentItems?.find(itemIndex, hash);
    const isKnown = known?.key === idempotencyKey;
    this.#owners.end(idempotencyKey, 'done');
    this.unclear.settle(idempotencyKey);
    // Else another item has sent it, or another run.
    const mayBeOfThisItem = !deduplicated || ((wasUnclear || isKnown) && !isOfAnotherPlace);
    const isSure = !deduplicated || idempotencyKey.startsWith(OF_RUN);
    const isKnownAsSent = isKnown && known.doubt === undefined;
    if (mayBeOfThisItem) this.#sentItems?.note(itemIndex, hash, idempotencyKey, isSure ? 'sent' : 'used');
    return idempotencyKey.startsWith(OF_PERSON) && deduplicated && !isKnownAsSent;
  }

  /** Notes that what a key is for may be carried out. */
  noteUnclear(itemIndex: number, { idempotencyKey, hash }: Dispatch, error: unknown): void {
    // Another content has the key, or may still be in progress, and this one was refused at the first attempt.
    const isInProgress = this.unclear.scopeOf(idempotencyKey) === 'anything';
    const isRefused =
      error instanceof ConflictError &&
      error.attempts === 1 &&
      this.#sentItems?.isOfOtherContent(idempotencyKey, hash, isInProgress ? 'unclear' : 'used') === true;
    if (!isRefused && !this.#owners.isDoneElsewhere(idempotencyKey))
      this.#sentItems?.note(itemIndex, hash, idempotencyKey, 'unclear');
    this.#owners.end(idempotencyKey, 'unclear');
    this.unclear.note(idempotencyKey, error);
  }

  /** Keeps what is known for a later try, where one may come. */
  keep(mayBeTriedAgain: boolean): void {
    this.changes.keep(mayBeTriedAgain);
    this.#sentItems?.keep(mayBeTriedAgain);
  }

  /** Forgets an own key with which an item sent nothing: another node may try to. */
  forget(idempotencyKey: string, itemIndex: number): void {
    this.#owners.forget(idempotencyKey, itemIndex);
  }

  /** Whether this is a retry of what began so long ago that the service may have forgotten it. */
  get isForgotten(): boolean {
    return this.#isRetry && Date.now() - this.#begunAt > REMEMBERED_MS;
  }

  /**
   * The key by which the item goes: that of an earlier try that has sent the very same, or may have, in place of its own.
   * A new run does not know of that one, so its lifetime is this run's.
   *
   * @throws InputProblem where nobody can know whether it was sent.
   */
  #keyOf(itemIndex: number, key: ItemKey): ItemKey {
    if (this.isForgotten) throw forgotten(Date.now() - this.#begunAt);
    const sent = this.#sentItems?.keyFor(itemIndex, key.hash, key.idempotencyKey);
    if (sent?.doubt !== undefined) throw keyInDoubt(sent.doubt);
    const itemKey: ItemKey =
      sent === undefined || sent.key === key.idempotencyKey
        ? key
        : { ...key, idempotencyKey: sent.key, keyScope: 'content', lifetime: 'run' };
    this.lifetimes.add(itemKey.lifetime);
    return itemKey;
  }

  /** Two executions may begin in one millisecond: the second one that sends the very same has a key of its own. */
  #ofThisExecution(key: string, named: readonly unknown[]): string {
    const holder = holders.get(key) ?? this.#execution;
    if (this.#isRetry || holder === this.#execution) {
      holders.delete(key);
      holders.set(key, holder);
      const [oldest] = holders.keys();
      if (holders.size > KEPT_HOLDERS && oldest !== undefined) holders.delete(oldest);
      return key;
    }
    return hashOf([...named, this.#execution]);
  }
}

/** Executions of this process by the keys that they have used. */
const holders = new Map<string, string>();
const KEPT_HOLDERS = 10_000;

/** What keys begin with that no other run and no other item has, and those of the person's own. */
const OF_RUN = 'n8n-run-';
const OF_PERSON = 'n8n-own-';

/** For how long a retry knows what was sent: the service's 24 hours, less what a long run takes. */
const REMEMBERED_MS = IDEMPOTENCY_KEY_LIFETIME_MS - 30 * 60_000;

function hashOfSending({ operation, recipient, content }: Sending): string {
  return hashOf([operation, personOf(recipient), withoutEmail(content)]);
}

/** The recipient as a key names them: addresses that differ in case only are one mailbox. */
function personOf([email, userId]: Sending['recipient']): (string | null)[] {
  return [email?.trim().toLowerCase() ?? null, userId?.trim() ?? null];
}

function withoutEmail(content: unknown): unknown {
  return isRecord(content) ? { ...content, email: undefined } : content;
}
