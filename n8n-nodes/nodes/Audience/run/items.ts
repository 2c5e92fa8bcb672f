import { sleep } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isExpression } from '../expressions/expressions.js';
import { InputProblem, toNodeError } from '../messages/errors.js';
import type { NodeFailure } from '../messages/errors.js';
import { sentences } from '../messages/text.js';
import type { Dispatch, KeyChoice } from '../once-only/once-only.js';
import { Parameters } from '../parameters/parameters.js';
import { Contacts } from './contacts.js';
import { adviceOnUnclear, failedItem, firstFailure, stopped } from './failure.js';
import { addHints } from './hints.js';
import type { Prepared } from './operation.js';
import { Queue } from './queue.js';
import type { Run, RunState } from './state.js';

/** Items that a run begins with; then that many more may be under way than have gone well, so that a stop is felt early. */
const FIRST_ITEMS = 10;

/** Calls that a check keeps for later; those of further items are prepared a second time, so that memory stays flat. */
const KEPT_CALLS = 1_000;

/** An item that is ready to go out, with its key where it has one. */
interface Departure {
  readonly prepared: Prepared;
  readonly key?: Dispatch;
}

/** Time after which others get a turn in the process, in milliseconds. */
const LONGEST_BLOCK_MS = 20;

/**
 * Carries out an operation for every input item, several at once. The output is in the order of the input, each
 * item paired with its own. All items are checked before the first one is carried out.
 *
 * @throws NodeApiError, NodeOperationError for a failed item, where it is to stop the workflow.
 */
export async function runItems(run: Run): Promise<INodeExecutionData[]> {
  const items = new ItemRun(run);
  await items.checkAll();
  await items.carryOut();
  if (items.failed.size === 0) run.once.end();
  addHints(items);
  return items.output();
}

class ItemRun implements RunState {
  readonly count: number;
  readonly done = new Map<number, readonly IDataObject[]>();
  readonly failed = new Map<number, NodeFailure>();
  readonly before = new Set<number>();
  readonly notes = new Map<string, Set<number>>();
  readonly #signal: AbortSignal | undefined;
  /** Whether a failed item stops the workflow. */
  readonly #stops: boolean;
  readonly #departures = new Map<number, Departure>();
  readonly #contacts = new Contacts();
  readonly #keys = new Map<number, string>();
  readonly #queue = new Queue();
  #lastPause = Date.now();

  constructor(readonly run: Run) {
    this.count = run.context.getInputData().length;
    this.#signal = run.context.getExecutionCancelSignal();
    this.#stops = !run.context.continueOnFail();
  }

  /** Checks every item; what is found at fault stops the run before it begins, or fails by itself. */
  async checkAll(): Promise<void> {
    for (let index = 0; index < this.count && !this.#isCancelled(); index += 1) {
      this.run.once.note(index);
      const done = this.run.once.outputOf(index);
      if (done !== undefined) {
        this.done.set(index, done);
        this.before.add(index);
        await this.#letOthersWork();
        continue;
      }
      try {
        const departure = await this.#prepare(index);
        if (index < KEPT_CALLS) this.#departures.set(index, departure);
      } catch (error) {
        const { context } = this.#fail(index, error);
        // Errors of the input are reported together. An error of the service would occur at every item.
        if (this.#stopsNow() && context['reason'] !== 'input') throw firstFailure(this);
      }
      await this.#letOthersWork();
    }
    for (const index of this.run.once.itemsWithOneKey()) this.#fail(index, oneKey());
    if (this.#stopsNow()) throw firstFailure(this);
  }

  /** Carries out all items that passed the check. */
  async carryOut(): Promise<void> {
    const running = new Set<Promise<void>>();
    for (let index = 0; index < this.count; index += 1) {
      if (this.failed.has(index) || this.done.has(index)) continue;
      while (running.size >= Math.min(this.run.concurrency, FIRST_ITEMS + this.done.size)) {
        await Promise.race(running);
      }
      if (this.#isCancelled() || this.#stopsNow()) break;
      const key = this.#keys.get(index);
      const names = [...this.#contacts.of(index), ...(key === undefined ? [] : [key])];
      const one: Promise<void> = this.#queue
        .after(names, () => this.#carryOutOne(index))
        .finally(() => running.delete(one));
      running.add(one);
      await this.#letOthersWork();
    }
    await Promise.all(running);
    if (this.#isCancelled()) throw stopped(this);
    if (this.#stopsNow()) throw firstFailure(this);
  }

  /** The output items in the order of the input. */
  output(): INodeExecutionData[] {
    const output: INodeExecutionData[] = [];
    for (let index = 0; index < this.count; index += 1) {
      const failure = this.failed.get(index);
      if (failure !== undefined) output.push(failedItem(failure, index));
      for (const json of this.done.get(index) ?? []) output.push({ json, pairedItem: { item: index } });
    }
    return output;
  }

  async #carryOutOne(index: number): Promise<void> {
    if (this.#isCancelled() || this.#stopsNow()) return;
    try {
      const { prepared, key } = this.#departures.get(index) ?? (await this.#prepare(index));
      this.#departures.delete(index);
      const { once } = this.run;
      const call = () =>
        prepared.call({ options: { ...key, signal: this.#signal }, isOpen: once.isUnclear(index) });
      const output = await (this.#isRead ? call() : once.carryOut(index, call, prepared.sending));
      this.done.set(index, output);
      const isSent = this.run.operation.kind === 'sends';
      if (isSent && output.some(({ deduplicated }) => deduplicated === true)) this.before.add(index);
    } catch (error) {
      this.#fail(index, error);
    }
  }

  async #prepare(index: number): Promise<Departure> {
    const { context, session, once, form, operation } = this.run;
    const note = (what: string): void => {
      this.notes.set(what, (this.notes.get(what) ?? new Set<number>()).add(index));
    };
    const parameters = new Parameters(context, index, form, note);
    const prepared = await operation.prepare({ parameters, session, note });
    if (prepared.contact !== undefined) this.#contacts.note(index, prepared.contact);
    if (prepared.sending === undefined) return { prepared };
    const key = once.dispatchOf(index, keyChoice(parameters), prepared.sending);
    this.#keys.set(index, key.idempotencyKey);
    return { prepared, key };
  }

  get #isRead(): boolean {
    const { kind } = this.run.operation;
    return kind === 'reads' || kind === 'lists';
  }

  #fail(index: number, error: unknown): NodeFailure {
    const { context, form } = this.run;
    const failure = toNodeError(context.getNode(), error, form, index);
    if (!this.#stops) failure.description = sentences([failure.description ?? '', adviceOnUnclear(failure)]);
    this.failed.set(index, failure);
    return failure;
  }

  /** Whether nothing more is to be begun because an item failed. */
  #stopsNow(): boolean {
    return this.#stops && this.failed.size > 0;
  }

  #isCancelled(): boolean {
    return this.#signal?.aborted === true;
  }

  async #letOthersWork(): Promise<void> {
    if (Date.now() - this.#lastPause < LONGEST_BLOCK_MS) return;
    await sleep(0);
    this.#lastPause = Date.now();
  }
}

function keyChoice(parameters: Parameters): KeyChoice {
  const name = 'options.idempotencyKey';
  const key = parameters.identifier(name);
  if (key !== undefined) return { by: 'person', key };
  const stored = parameters.stored(name);
  if (isExpression(stored)) throw parameters.missing(parameters.subject(name), stored);
  return { by: parameters.choice('options.sendOnce', ['run', 'content']) };
}

function oneKey(): InputProblem {
  return new InputProblem(
    "'Idempotency Key' is the same for two different emails or events to one recipient",
    'Add to the key what tells them apart, such as the number of the order.',
  );
}
