import type { IExecuteFunctions } from 'n8n-workflow';
import { isRoundedNumber } from 'audience-core/internal';
import * as z from 'zod/mini';
import { InputProblem } from '../helpers/errors.js';
import { executionOf } from '../helpers/host.js';
import { sayMissing } from '../expressions/missing-values.js';
import type { Missing } from '../expressions/missing-values.js';
import { FlowMemory } from './flow-memory.js';
import { isEmpty, isNotEvaluated, isSlip } from '../helpers/values.js';

const memory = new FlowMemory(
  'audienceKeys',
  z.object({
    /** By the run of the node: the execution that has begun it last. */
    executions: z.record(z.string(), z.string()),
    owners: z.record(
      z.string(),
      z.object({
        place: z.string(),
        itemIndex: z.number(),
        content: z.string(),
        state: z.enum(['begun', 'unclear', 'done']),
      }),
    ),
  }),
  () => ({ executions: {}, owners: {} }),
);

/** Which items of an execution used keys of the person's own, and for what content: its batches and nodes together. */
export class OwnKeys {
  readonly #owners: ReturnType<typeof memory.of>['owners'];
  readonly #place: string;
  readonly #isTool: boolean;

  /** @param run its number, of a node that a model has not called. */
  constructor(context: IExecuteFunctions, run: number | 'tool') {
    const { name } = context.getNode();
    this.#isTool = run === 'tool';
    this.#place = `'${name}'${typeof run === 'number' && run > 0 ? `, run ${run + 1}` : ''}`;
    const noted = memory.of(context);
    this.#owners = noted.owners;
    const execution = executionOf(context);
    if (noted.executions[this.#place] === execution) return;
    noted.executions[this.#place] = execution;
    // A retry may have other contents of what it does again; what had ended before it stays.
    for (const [key, { place }] of Object.entries(this.#owners)) {
      if (place === this.#place) Reflect.deleteProperty(this.#owners, key);
    }
  }

  /** The key of another item, which may have been sent with it, stays. */
  forget(key: string, itemIndex: number): void {
    if (this.#isOf(itemIndex, this.#owners[key])) Reflect.deleteProperty(this.#owners, key);
  }

  /** Notes what came of it that something was sent with a key. */
  end(key: string, state: 'unclear' | 'done'): void {
    const owner = this.#owners[key];
    if (owner?.place === this.#place) owner.state = state;
  }

  /** Whether another node, or another batch, has sent something with a key. */
  isDoneElsewhere(key: string): boolean {
    const owner = this.#owners[key];
    return owner?.state === 'done' && owner.place !== this.#place;
  }

  /** @returns the item that had the key before, for another content. */
  note(key: string, itemIndex: number, contentHash: string): string | undefined {
    const own = { place: this.#place, itemIndex, content: contentHash.slice(0, 16), state: 'begun' as const };
    const first = (this.#owners[key] ??= own);
    // The item of before is tried again. Of a tool it may be another call, unless that one is unclear.
    const isSameItem = this.#isOf(itemIndex, first) && (!this.#isTool || first.state === 'unclear');
    return isSameItem || first.content === own.content
      ? undefined
      : `item ${first.itemIndex} of ${first.place}`;
  }

  #isOf(
    itemIndex: number,
    owner: { readonly place: string; readonly itemIndex: number } | undefined,
  ): boolean {
    return owner?.place === this.#place && owner.itemIndex === itemIndex;
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
  if (isRoundedNumber(own))
    throw keyProblem('is a number of more than 15 digits, of which some are lost: it has to come as text');
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
    'Check that its expression gives a value for this item: the same key for two mails would lose one of them. Give a part that may be empty a default.',
  );
}
