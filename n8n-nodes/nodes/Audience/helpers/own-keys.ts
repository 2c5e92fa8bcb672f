import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';
import { InputProblem } from './errors.js';
import { executionOf } from './execution.js';
import { sayMissing } from './expressions.js';
import type { Missing } from './expressions.js';
import { isEmpty, isNotEvaluated, isSlip } from './values.js';

const ownersSchema = z.object({
  execution: z.string(),
  owners: z.record(
    z.string(),
    z.object({ item: z.string(), content: z.string(), isDone: z.optional(z.boolean()) }),
  ),
});

/** Which items of an execution used keys of the person's own, and for what content: its batches and nodes together. */
export class OwnKeys {
  readonly #owners: z.infer<typeof ownersSchema>['owners'];
  readonly #place: string;
  readonly #isTool: boolean;

  /** @param run its number, of a node that a model has not called. */
  constructor(context: IExecuteFunctions, run: number | 'tool') {
    const kept = context.getContext('flow');
    const execution = executionOf(context);
    const known = ownersSchema.safeParse(kept['audienceKeys']).data;
    // A retry may have other contents: it finds out what its first try has sent.
    this.#owners = known?.execution === execution ? known.owners : {};
    kept['audienceKeys'] = { execution, owners: this.#owners };
    const { name } = context.getNode();
    this.#isTool = run === 'tool';
    this.#place = ` of '${name}'${typeof run === 'number' && run > 0 ? `, run ${run + 1}` : ''}`;
  }

  /** The key of another item, which may have been sent with it, stays. */
  forget(key: string, itemIndex: number): void {
    if (this.#owners[key]?.item === this.#nameOf(itemIndex)) Reflect.deleteProperty(this.#owners, key);
  }

  /** Notes that what a key is for is carried out. */
  settle(key: string): void {
    const owner = this.#owners[key];
    if (owner !== undefined) owner.isDone = true;
  }

  /** @returns the item that had the key before, for another content. */
  note(key: string, itemIndex: number, contentHash: string): string | undefined {
    const own = { item: this.#nameOf(itemIndex), content: contentHash.slice(0, 16) };
    const first = (this.#owners[key] ??= own);
    // The item of before is tried again. Of a tool it may be another call: of what was carried out it is one.
    const isSameItem = first.item === own.item && !(this.#isTool && first.isDone === true);
    return isSameItem || first.content === own.content ? undefined : first.item;
  }

  #nameOf(itemIndex: number): string {
    return `item ${itemIndex}${this.#place}`;
  }
}

/**
 * The key as text.
 *
 * @param missing values of its expression that are missing.
 * @throws InputProblem for a key in which a value is missing.
 */
export function readOwnKey(own: unknown, missing: readonly Missing[]): string {
  if (typeof own !== 'string' && !(typeof own === 'number' && Number.isFinite(own))) {
    throw keyProblem(
      isEmpty(own) ? 'is empty: its expression gives nothing' : 'must be text or a number, and is neither',
    );
  }
  const key = String(own).trim();
  if (key === '') throw keyProblem('is empty: its expression gives nothing');
  if (missing.length > 0) throw keyProblem(`is '${key}', ${sayMissing(missing)}`);
  if (isSlip(key)) throw keyProblem(`is '${key}', which an expression gives where there is no value`);
  if (isNotEvaluated(key)) {
    throw keyProblem(`is '${key}', an expression that was not evaluated: set the field to 'Expression'`);
  }
  return key;
}

function keyProblem(what: string): InputProblem {
  return new InputProblem(
    `'Idempotency Key' ${what}`,
    'Check that its expression gives a value for this item: the same key for two mails would lose one of them. A part that may be empty needs a word in its place.',
  );
}
