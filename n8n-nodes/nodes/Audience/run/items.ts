import { sleep, type INodeExecutionData } from 'n8n-workflow';
import { isExpression } from '../form/expressions.js';
import { wordRun } from '../messages/run.js';
import { sentences, wordNote, type Note } from '../messages/text.js';
import { Parameters } from '../form/parameters.js';
import { toNodeError, type NodeFailure } from '../node-error.js';
import type { Departure } from '../once-only/once-only.js';
import { InputProblem } from '../problem.js';
import { Contacts } from './contacts.js';
import { addHints, failedItem, firstFailure, Outcome, stopped, type Run } from './report.js';

/** Items that a run begins with; then that many more may be under way than have gone well, so that a stop is felt early. */
const FIRST_ITEMS = 10;

/** Time after which others get a turn in the process, in milliseconds. */
const LONGEST_BLOCK_MS = 20;

/**
 * Carries out an operation for every input item, several at once. The output is in the order of the input, each
 * item paired with its own. All items are checked before the first one is carried out.
 */
export async function runItems(run: Run): Promise<INodeExecutionData[]> {
  const items = new ItemRun(run);
  await items.checkAll();
  await items.carryOut();
  run.once.end(items.done.size);
  addHints(items);
  return items.output();
}

/** The items of a run on their way to an outcome. */
class ItemRun extends Outcome {
  readonly #signal: AbortSignal | undefined;
  readonly #stops: boolean;
  readonly #departures = new Map<number, Departure>();
  readonly #contacts = new Contacts();
  #lastPause = Date.now();

  constructor(run: Run) {
    super(run);
    this.#signal = run.context.getExecutionCancelSignal();
    this.#stops = !run.context.continueOnFail();
  }

  /** Checks every item; what is found at fault stops the run before it begins, or fails by itself. */
  async checkAll(): Promise<void> {
    const { once } = this.run;
    for (let index = 0; index < this.count && !this.#isCancelled(); index += 1) {
      once.note(index);
      const done = once.outputOf(index);
      if (done === undefined) await this.#check(index);
      else {
        this.done.set(index, done);
        this.before.add(index);
      }
      await this.#letOthersWork();
    }
    for (const index of once.keys.conflicts()) {
      this.#departures.delete(index);
      this.#fail(index, new InputProblem({ code: 'one-key' }));
    }
    if (this.#stopsNow()) throw firstFailure(this);
  }

  async carryOut(): Promise<void> {
    const running = new Set<Promise<void>>();
    for (let index = 0; index < this.count; index += 1) {
      const departure = this.#departures.get(index);
      if (departure === undefined) continue;
      this.#departures.delete(index);
      while (running.size >= Math.min(this.run.concurrency, FIRST_ITEMS + this.done.size)) {
        await Promise.race(running);
      }
      if (this.#isCancelled() || this.#stopsNow()) break;
      const one: Promise<void> = this.#contacts
        .inOrder(index, () => this.#carryOutOne(index, departure))
        .finally(() => running.delete(one));
      running.add(one);
      await this.#letOthersWork();
    }
    await Promise.all(running);
    if (this.#isCancelled()) throw stopped(this);
    if (this.#stopsNow()) throw firstFailure(this);
  }

  output(): INodeExecutionData[] {
    const output: INodeExecutionData[] = [];
    for (let index = 0; index < this.count; index += 1) {
      const failure = this.failed.get(index);
      if (failure !== undefined) output.push(failedItem(failure, index));
      for (const json of this.done.get(index) ?? []) output.push({ json, pairedItem: { item: index } });
    }
    return output;
  }

  async #check(index: number): Promise<void> {
    try {
      this.#departures.set(index, await this.#prepare(index));
    } catch (error) {
      const { context } = this.#fail(index, error);
      // Errors of the input are reported together. An error of the service would occur at every item.
      if (this.#stopsNow() && context['reason'] !== 'input') throw firstFailure(this);
    }
  }

  async #carryOutOne(index: number, { carryOut }: Departure): Promise<void> {
    // It may have waited for an earlier item of its contact.
    if (this.#isCancelled() || this.#stopsNow()) return;
    try {
      const output = await carryOut(this.#signal);
      this.done.set(index, output);
      const isSent = this.run.operation.kind === 'sends';
      if (isSent && output.some(({ deduplicated }) => deduplicated === true)) this.before.add(index);
    } catch (error) {
      this.#fail(index, error);
    }
  }

  async #prepare(index: number): Promise<Departure> {
    const { context, session, once, form, operation } = this.run;
    const note = (noted: Note): void => {
      const what = wordNote(noted);
      this.notes.set(what, (this.notes.get(what) ?? new Set<number>()).add(index));
    };
    const parameters = new Parameters(context, index, form, note);
    const prepared = await operation.prepare({ parameters, session, note });
    const departure = once.departureOf(index, prepared, prepared.sending && ownKeyOf(parameters));
    this.#contacts.note(index, prepared.contact, departure.shared);
    return departure;
  }

  #fail(index: number, error: unknown): NodeFailure {
    const { context, form, once, operation } = this.run;
    const failure = toNodeError(context.getNode(), error, form, index);
    // It may fail in the check, before the call that would say so.
    if (operation.kind === 'sends' && once.isOpen(index)) failure.context['unclear'] = true;
    if (!this.#stops && operation.kind === 'sends' && failure.context['unclear'] === true)
      failure.description = sentences([failure.description ?? '', wordRun('look-it-up')]);
    this.failed.set(index, failure);
    return failure;
  }

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

/** @throws InputProblem for an expression that gives no key: the item would go out without one. */
function ownKeyOf(parameters: Parameters): string | undefined {
  const name = 'options.idempotencyKey';
  return isExpression(parameters.stored(name))
    ? parameters.requiredIdentifier(name)
    : parameters.identifier(name);
}
