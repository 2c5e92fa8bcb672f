import { canonicalJson } from 'audience-core/contract';
import type { CallOptions } from 'audience-core';
import { createHash, randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { InputProblem } from './errors.js';
import { isEmpty, isRecord } from './values.js';

/** For how long the same email or event counts as sent. */
export const SEND_ONCE = ['run', 'content'] as const;

/** Whether a key counts for this run of the workflow and its retries, or for new runs too. */
export type KeysKept = 'in-this-run' | 'in-all-runs';

/** An email or event on its way out. */
export interface Sending {
  /** `email.send` or `event.send`. */
  readonly operation: string;
  /** Whom it is for: address, User ID, or both. */
  readonly recipient: readonly (string | undefined)[];
  /** Id of the design, or name of the event. */
  readonly subject: string;
  /** All that goes out. */
  readonly content: unknown;
}

/** Derives the idempotency keys of one run of one node. What all its items share is read once. */
export class KeyRing {
  readonly #place: readonly unknown[];
  /** Whether no earlier try of this run has got to this node. */
  readonly #isFirstTry: boolean;
  /** Whether the node has run in this run of the workflow before, as in a loop. */
  readonly isLaterBatch: boolean;
  /** Which item used a key of the person's own, and for what content. */
  readonly #owners = new Map<string, { itemIndex: number; content: string }>();

  /** People with what they are sent, by the hash of both. */
  readonly #sent = new Map<string, number>();
  readonly #alike = new Set<number>();
  #kept: KeysKept | undefined;

  constructor(context: IExecuteFunctions) {
    const { id, type } = context.getNode();
    // A tool gets a new run index for every try of a model or of Retry On Fail, so that tells nothing: what a
    // model sends twice in one run, in the very same words, goes out once.
    const isTool = type.endsWith('Tool');
    const runIndex = isTool ? 0 : Number(context.getWorkflowDataProxy(0).$runIndex);
    this.isLaterBatch = runIndex > 0;
    this.#place = [runAnchor(context), context.getWorkflow().id, id, isTool ? 'tool' : runIndex];
    this.#isFirstTry = isFirstTry(context, id, runIndex);
  }

  /** How many items are sent although an earlier one of the run is the same. */
  get alike(): number {
    return this.#alike.size;
  }

  /** Whether an item has a key of the person's own. */
  get hasOwnKeys(): boolean {
    return this.#owners.size > 0;
  }

  /** Where the keys that were made count; `undefined` where none was made. */
  get kept(): KeysKept | undefined {
    return this.#kept;
  }

  /** The same for the same item of the same run with the same content; a new run has another. */
  forRun(itemIndex: number, { operation, content }: Sending): CallOptions {
    this.#kept = 'in-this-run';
    const sent = hashOf([operation, content]);
    if (!this.#sent.has(sent)) this.#sent.set(sent, itemIndex);
    if (this.#sent.get(sent) !== itemIndex) this.#alike.add(itemIndex);
    const idempotencyKey = `n8n-run-${hashOf([...this.#place, itemIndex, operation, content])}`;
    return { idempotencyKey, deterministicKey: true, unusedKey: this.#isFirstTry };
  }

  /** The same for the same content, in any workflow of the account. */
  forContent({ operation, recipient, content }: Sending): CallOptions {
    this.#kept ??= 'in-all-runs';
    const idempotencyKey = `n8n-content-${hashOf([operation, personOf(recipient), withoutEmail(content)])}`;
    return { idempotencyKey, deterministicKey: true };
  }

  /**
   * The person's own key, bound to whom and what it is for: a slip in its expression can then never count as sent
   * what was sent to somebody else.
   *
   * @throws InputProblem for a key that is empty at one end, and for one that two different mails of this run have.
   */
  forOwnKey(
    own: unknown,
    itemIndex: number,
    { operation, recipient, subject, content }: Sending,
  ): CallOptions {
    const key = readOwnKey(own);
    this.#kept ??= 'in-all-runs';
    const wireKey = `n8n-own-${hashOf([key, operation, personOf(recipient), subject])}`;
    const owner = { itemIndex, content: hashOf(content) };
    const first = this.#owners.get(wireKey) ?? owner;
    this.#owners.set(wireKey, first);
    if (first.itemIndex !== itemIndex && first.content !== owner.content) {
      throw new InputProblem(
        `'Idempotency Key' is '${key}' for two different contents to the same person, here and in item ${first.itemIndex}`,
        'The service would carry out only one of them. Put into the key what tells them apart, such as a number of the order. Nothing was sent for this item.',
      );
    }
    return { idempotencyKey: wireKey, deterministicKey: true };
  }
}

/**
 * What stays the same when n8n carries out the same items again: on Retry On Fail, when another worker takes the
 * execution over, and when a person retries it from the list of executions, which gives it a new id. It is the id of
 * the execution that began with them; n8n keeps the flow's context with the execution's data.
 */
function runAnchor(context: IExecuteFunctions): string {
  const kept = context.getContext('flow');
  const anchor: unknown = kept['audienceRun'];
  if (typeof anchor === 'string') return anchor;
  const first = `${context.getInstanceId()}:${executionOf(context)}`;
  kept['audienceRun'] = first;
  return first;
}

function executionOf(context: IExecuteFunctions): string {
  const id: unknown = context.getExecutionId();
  // A call of an MCP client gets its execution only afterwards: it is a run of its own.
  if (typeof id !== 'string' || id === '') return randomUUID();
  // The begin tells apart executions whose ids were used before, as on an instance with a new database.
  return `${id}:${context.getExecutionContext()?.establishedAt ?? 0}`;
}

/** Whether no try of this run, of which n8n has kept the flow's context, has got to this run of this node. */
function isFirstTry(context: IExecuteFunctions, node: string, runIndex: number): boolean {
  const kept = context.getContext('flow');
  const begun: unknown = kept['audienceBegun'];
  const last: unknown = isRecord(begun) ? begun[node] : undefined;
  if (typeof last === 'number' && last >= runIndex) return false;
  kept['audienceBegun'] = { ...(isRecord(begun) ? begun : {}), [node]: runIndex };
  return true;
}

/** The recipient as a key names them: addresses that differ in case only are one mailbox. */
function personOf(recipient: Sending['recipient']): (string | null)[] {
  return recipient.map((name) => name?.trim().toLowerCase() ?? null);
}

function withoutEmail(content: unknown): unknown {
  return isRecord(content) ? { ...content, email: undefined } : content;
}

function hashOf(content: unknown): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}

const EMPTY_AT_AN_END = /^[-_.:|/#,;=+~]|[-_.:|/#,;=+~]$/;
const EMPTY_INSIDE = /([-_.:|#,;=+~])\1/;
const SLIP = /(^|[^a-z0-9])(undefined|null|nan|invalid ?datetime|invalid ?date)([^a-z0-9]|$)|\[object/i;

function readOwnKey(own: unknown): string {
  if (typeof own !== 'string' && !(typeof own === 'number' && Number.isFinite(own))) {
    throw keyProblem(
      isEmpty(own) ? 'is empty: its expression gives nothing' : 'must be text or a number, and is neither',
    );
  }
  const key = String(own).trim();
  if (key === '') throw keyProblem('is empty: its expression gives nothing');
  if (SLIP.test(key)) throw keyProblem(`is '${key}', in which a value is missing`);
  if (EMPTY_AT_AN_END.test(key)) throw keyProblem(`is '${key}', in which a value is missing at one end`);
  if (EMPTY_INSIDE.test(key)) throw keyProblem(`is '${key}', in which a value is missing in the middle`);
  return key;
}

function keyProblem(what: string): InputProblem {
  return new InputProblem(
    `'Idempotency Key' ${what}`,
    'Check that its expression gives a value for this item: the same key for two mails would lose one of them. Nothing was sent for this item.',
  );
}
