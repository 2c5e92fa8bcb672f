import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { fullText, InputProblem, sentences, toNodeError } from '../helpers/errors.js';
import type { NodeFailure } from '../helpers/errors.js';
import { isTool, offersRetry } from '../helpers/execution.js';
import type { Form } from '../helpers/form.js';
import type { KeyRing } from '../helpers/idempotency.js';
import { naming } from '../helpers/naming.js';
import { afterStop, howToGoOn } from '../helpers/retry-words.js';
import { Parameters } from '../helpers/parameters.js';
import type { Session } from '../transport/session.js';
import { addHints } from './hints.js';
import type { Facts } from './hints.js';
import { ItemContacts } from './item-contacts.js';
import { Lanes } from './lanes.js';
import type { Call, Item, Operation } from './operation.js';
import type { RunOptions } from './run-options.js';
import { keptByForm } from './sending.js';

/** What one run of the node works with. */
export interface Run {
  readonly context: IExecuteFunctions;
  readonly session: Session;
  readonly operation: Operation;
  readonly form: Form;
  readonly keys: KeyRing;
}

/** Items that a run begins with; then as many may be under way as have gone well, so that a stop is felt early. */
const FIRST_ITEMS = 10;

/** Calls that a check keeps for later; those of further items are prepared again, so that memory stays flat. */
const KEPT_CALLS = 1_000;

/** Time after which others get a turn in the process, in milliseconds. */
const LONGEST_BLOCK_MS = 20;

/**
 * Carries out an operation for every input item, several at once. The output is in the order of the input, each
 * item paired with its own. All items are checked before the first one is carried out.
 *
 * @throws NodeApiError, NodeOperationError for a failed item, where it is to stop the workflow.
 */
export async function runItems(run: Run, options: RunOptions): Promise<INodeExecutionData[]> {
  const { context } = run;
  const items = new ItemRun(run, options, !context.continueOnFail());
  let hasFailed = true;
  try {
    await items.checkAll();
    await items.carryOut();
    hasFailed = false;
  } finally {
    run.keys.carriedOut.end(hasFailed);
  }
  addHints(context, run.operation, items.facts);
  return items.output();
}

class ItemRun {
  readonly #count: number;
  readonly #signal: AbortSignal | undefined;
  readonly #calls = new Map<number, Call>();
  readonly #contacts = new ItemContacts();
  readonly #lanes = new Lanes();
  readonly #done = new Map<number, readonly IDataObject[]>();
  readonly #failed = new Map<number, NodeFailure>();
  /** The items that failed and may go out in a later try, by the names of their contacts; the first one of each. */
  readonly #open = new Map<string, number>();
  /** Items that wait for one of these. */
  readonly #waiting = new Set<number>();
  readonly #underWay = new Set<number>();
  /** Ends with the first item. */
  #first: Promise<void> = Promise.resolve();
  /** Items that the service had carried out before. */
  readonly #sentBefore = new Set<number>();
  /** Names of contacts of which this run has set something that was not set before. */
  readonly #newlySet = new Set<string>();
  /** What an operation noted, with the items. */
  readonly #notes = new Map<string, Set<number>>();
  /** Items that were under way when the first one failed. */
  #caught: number[] = [];
  #lastPause = Date.now();

  constructor(
    private readonly run: Run,
    private readonly options: RunOptions,
    /** Whether a failed item stops the workflow. */
    private readonly stops: boolean,
  ) {
    this.#count = run.context.getInputData().length;
    this.#signal = run.context.getExecutionCancelSignal();
  }

  /** Checks every item; what is found at fault stops the run before it begins, or fails by itself. */
  async checkAll(): Promise<void> {
    for (let index = 0; index < this.#count && !this.#isCancelled(); index += 1) {
      try {
        const call = await this.#prepare(index);
        if (index < KEPT_CALLS) this.#calls.set(index, call);
      } catch (error) {
        if (this.#outputOfEarlierTry(index) !== undefined) continue;
        const { context } = this.#fail(index, this.run.keys.tries?.unclearOf(index)?.error ?? error);
        // Faults of the input are told together; one of the service would be met, and waited for, at every item.
        if (this.#stopsNow() && context['reason'] !== 'input') break;
      }
      await this.#letOthersWork();
    }
    if (this.#stopsNow()) throw this.#firstFailure();
  }

  /** Carries out all items that passed the check. */
  async carryOut(): Promise<void> {
    const running = new Set<Promise<void>>();
    for (let index = 0; index < this.#count; index += 1) {
      if (this.#failed.has(index)) continue;
      while (running.size >= Math.min(this.options.concurrency, FIRST_ITEMS + this.#done.size)) {
        await Promise.race(running);
      }
      if (this.#isCancelled() || this.#stopsNow()) break;
      const one: Promise<void> = this.#lanes
        .after(this.#contacts.of(index), () => this.#carryOutOne(index))
        .finally(() => running.delete(one));
      if (index === 0) this.#first = one;
      running.add(one);
      await this.#letOthersWork();
    }
    await Promise.all(running);
    if (this.#isCancelled()) throw this.#cancelled();
    if (this.stops && this.#failed.size > 0) throw this.#firstFailure();
  }

  /** What the output items alone do not show. */
  get facts(): Facts {
    const { alike, kept, hasOwnKeys } = this.run.keys;
    return { sentBefore: this.#sentBefore.size, kept, hasOwnKeys, alike, notes: this.#notes };
  }

  /** The output items in the order of the input. */
  output(): INodeExecutionData[] {
    const output: INodeExecutionData[] = [];
    for (let index = 0; index < this.#count; index += 1) {
      const failure = this.#failed.get(index);
      if (failure !== undefined) output.push(failedItem(failure, index));
      for (const json of this.#done.get(index) ?? []) output.push({ json, pairedItem: { item: index } });
    }
    return output;
  }

  async #carryOutOne(index: number): Promise<void> {
    if (this.#isCancelled() || this.#stopsNow()) return;
    const done = this.#outputOfEarlierTry(index);
    if (done !== undefined) {
      if (this.run.keys.kept !== undefined) this.#sentBefore.add(index);
      this.#done.set(index, done);
      return;
    }
    const earlier = await this.#earlierOpen(index);
    if (earlier !== undefined) {
      this.#waiting.add(index);
      this.#fail(index, waitsFor(earlier)).context['reason'] = 'waiting';
      return;
    }
    this.#underWay.add(index);
    try {
      const call = this.#calls.get(index) ?? (await this.#prepare(index));
      this.#calls.delete(index);
      const output = await call();
      this.#done.set(index, output);
      if (this.#contacts.setsSomething(index) && !this.#sentBefore.has(index))
        for (const name of this.#contacts.of(index)) this.#newlySet.add(name);
      this.run.keys.tries?.settle(index, output);
    } catch (error) {
      if (this.#failed.size === 0) this.#caught = [...this.#underWay].filter((other) => other !== index);
      this.#fail(index, this.run.keys.tries?.unclearOf(index)?.error ?? error);
    } finally {
      this.#underWay.delete(index);
    }
  }

  #outputOfEarlierTry(index: number): readonly IDataObject[] | undefined {
    return this.run.keys.tries?.outputOf(index);
  }

  #prepare(index: number): Promise<Call> | Call {
    const { context, session, keys, form, operation } = this.run;
    const parameters = new Parameters(context, index, form);
    const item: Item = {
      parameters,
      session,
      keys,
      signal: this.#signal,
      noteContact: (contact, others) => {
        this.#contacts.note(index, contact, others);
      },
      noteNothingSet: () => {
        this.#contacts.noteNothingSet(index);
      },
      note: (what) => {
        this.#notes.set(what, (this.#notes.get(what) ?? new Set<number>()).add(index));
      },
      noteSentBefore: () => {
        this.#sentBefore.add(index);
      },
      isNewlySet: () => this.#contacts.of(index).some((name) => this.#newlySet.has(name)),
    };
    return operation.prepare(item);
  }

  #fail(index: number, error: unknown): NodeFailure {
    const { context, form, keys } = this.run;
    const failure = toNodeError(context.getNode(), error, form, index, keys.isLaterTry);
    this.#failed.set(index, failure);
    for (const name of this.#contacts.setsSomething(index) ? this.#contacts.of(index) : []) {
      this.#open.set(name, Math.min(index, this.#open.get(name) ?? index));
    }
    return failure;
  }

  /**
   * The failed item that this one has to wait for. A later try would send that one after this, of which the service
   * then says that it was sent before: the older item of a contact would win.
   */
  async #earlierOpen(index: number): Promise<number | undefined> {
    const { keys } = this.run;
    if (!this.#contacts.setsSomething(index)) return undefined;
    const open = this.#contacts
      .of(index)
      .map((name) => this.#open.get(name))
      .find((earlier) => earlier !== undefined && earlier < index);
    if (open === undefined || this.stops) return open;
    if (keys.tries?.mayGoOn !== true) return undefined;
    // Of a node that goes on, n8n tries all again if the first item has failed.
    await this.#first;
    return this.#failed.has(0) ? open : undefined;
  }

  /** Whether nothing more is to be begun because an item failed. */
  #stopsNow(): boolean {
    return this.stops && !this.options.finishOthers && this.#failed.size > 0;
  }

  #isCancelled(): boolean {
    return this.#signal?.aborted === true;
  }

  async #letOthersWork(): Promise<void> {
    if (Date.now() - this.#lastPause < LONGEST_BLOCK_MS) return;
    await sleep(0);
    this.#lastPause = Date.now();
  }

  #firstFailure(): NodeFailure {
    const [[first, failure] = []] = [...this.#failed].sort(([a], [b]) => a - b);
    if (first === undefined || failure === undefined) throw new RangeError('There is no failure.');
    const { isLaterBatch, isLaterTry } = this.run.keys;
    const { context } = this.run;
    const isToCorrect = isRefused(failure);
    const how = this.#howToGoOn(isToCorrect);
    const toldHow = how === '' || failure.description?.includes(how) === true ? '' : how;
    if (this.#count === 1 && !isLaterBatch) {
      // Each item may be an execution of a sub-workflow: those of the others are not known here.
      if (context.getMode() === 'integrated' && !isTool(context.getNode())) {
        failure.description = sentences([failure.description ?? '', toldHow]);
      }
      return failure;
    }
    const unclear = this.#unclear();
    const others = [...this.#failed.keys()].filter(
      (index) => index !== first && !unclear.includes(index) && !this.#waiting.has(index),
    );
    const finished = this.#caught.filter((index) => this.#done.has(index));
    const told = [
      this.#progress(),
      isLaterBatch ? 'Those of earlier batches of this run are not counted here.' : '',
      others.length === 0 ? '' : `${others.length} more failed too (${naming(others)}).`,
      this.#waiting.size === 0
        ? ''
        : `${this.#waiting.size} more ${this.#waiting.size === 1 ? 'waits' : 'wait'} for an item of the same contact that failed (${naming([...this.#waiting])}).`,
      finished.length === 0 || this.options.finishOthers
        ? ''
        : `Under way at that moment, and carried out: ${naming(finished)}.`,
    ];
    const isNothingDone = this.#done.size + unclear.length === 0 && !isLaterBatch && !isLaterTry;
    const what = failure.description ?? '';
    if (isNothingDone) failure.description = sentences([what, ...told]);
    else failure.description = sentences(isToCorrect ? [what, toldHow, ...told] : [toldHow, ...told, what]);
    return failure;
  }

  /** Items of which nobody knows whether the service carried them out. */
  #unclear(): number[] {
    return [...this.#failed].filter(([, { context }]) => context['unclear'] === true).map(([index]) => index);
  }

  #progress(): string {
    const unclear = this.#unclear();
    const { isLaterTry } = this.run.keys;
    return sentences([
      `${this.#done.size} of ${this.#count} items ${this.#done.size === 1 ? 'was' : 'were'} carried out${isLaterTry ? ' or found to be' : ''}${unclear.length === 0 ? '.' : `; ${unclear.length} more may have been (${naming(unclear)}).`}`,
      isLaterTry ? 'This is a later try: what earlier ones carried out of the rest is not counted here.' : '',
    ]);
  }

  #howToGoOn(isToCorrect: boolean): string {
    const { context, keys, operation } = this.run;
    if (keys.isForgotten) return '';
    // Where no key was made yet, the form tells which kind those of earlier batches were of.
    return howToGoOn(
      context.getMode(),
      offersRetry(context),
      keys.kept ?? keptByForm(operation, context),
      isToCorrect,
    );
  }

  #cancelled(): NodeOperationError {
    const notes = [this.#progress(), afterStop(this.run.keys.kept)];
    return new NodeOperationError(
      this.run.context.getNode(),
      'The execution was stopped, by somebody or by its time limit',
      {
        description: sentences(notes),
      },
    );
  }
}

const REFUSALS = ['input', 'invalid_request', 'not_found', 'authentication', 'permission'];

/** Whether an item is refused for what it is: it has to be corrected. */
function isRefused({ context }: NodeFailure): boolean {
  const reason: unknown = context['reason'];
  return context['unclear'] !== true && REFUSALS.some((one) => one === reason);
}

function waitsFor(earlier: number): InputProblem {
  return new InputProblem(
    `Item ${earlier}, which changes the same contact, failed, and this one waits for it`,
    'The last item of a contact is to win, so they go out in order.',
  );
}

/** The item that stands for a failed one, in the form that n8n sends to the error output with its input. */
export function failedItem(failure: NodeFailure, itemIndex: number): INodeExecutionData {
  const httpCode = failure instanceof NodeApiError ? failure.httpCode : null;
  const { reason, unclear } = failure.context;
  return {
    json: {
      error: fullText(failure),
      details: {
        itemIndex,
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(unclear === true ? { unclear } : {}),
        ...(httpCode === null ? {} : { httpCode }),
      },
    },
    pairedItem: { item: itemIndex },
  };
}
