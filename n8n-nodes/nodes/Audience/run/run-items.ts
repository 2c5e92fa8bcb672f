import { AudienceError } from 'audience-core';
import { sleep } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { InputProblem, MayBeDone, toNodeError } from '../helpers/errors.js';
import type { NodeFailure } from '../helpers/errors.js';
import type { Form } from '../helpers/form.js';
import type { KeyRing } from '../once-only/key-ring.js';
import { Parameters } from '../helpers/parameters.js';
import type { Session } from '../service/session.js';
import { addHints } from './hints.js';
import { ItemContacts } from './item-contacts.js';
import { ContactQueue } from './contact-queue.js';
import type { Call, Item, Operation } from '../actions/operation.js';
import { failedItem, firstFailure, stopped } from './run-failure.js';
import type { RunState } from './run-failure.js';
import type { RunOptions } from '../actions/run-options.js';

/** What one run of the node works with. */
export interface Run {
  readonly context: IExecuteFunctions;
  readonly session: Session;
  readonly operation: Operation;
  readonly form: Form;
  readonly keys: KeyRing;
}

/** Items that a run begins with; then that many more may be under way than have gone well, so that a stop is felt early. */
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
    run.keys.keep(hasFailed || (run.keys.tries?.mayGoOn === true && items.hasFailures));
  }
  addHints(items);
  return items.output();
}

class ItemRun implements RunState {
  readonly count: number;
  readonly #signal: AbortSignal | undefined;
  readonly #calls = new Map<number, Call>();
  readonly #contacts = new ItemContacts();
  readonly #queue = new ContactQueue();
  readonly done = new Map<number, readonly IDataObject[]>();
  readonly failed = new Map<number, NodeFailure>();
  /** The items that failed and may go out in a later try, by the names of their contacts; the first one of each. */
  readonly #open = new Map<string, number>();
  readonly #underWay = new Set<number>();
  /** Ends when the first item has ended. */
  #first: Promise<void> = Promise.resolve();
  /** Items that were sent before, as the service says. */
  readonly sentBefore = new Set<number>();
  /** Items that may have been. */
  readonly maybeBefore = new Set<number>();
  /** Whether all items were looked at. */
  #isChecked = false;
  /** What an operation noted, with the items. */
  readonly notes = new Map<string, Set<number>>();
  /** The same, where it is to be told whatever comes of the run. */
  readonly warnings = new Map<string, Set<number>>();
  /** Items that were under way when the first one failed. */
  caught: readonly number[] = [];
  #lastPause = Date.now();

  constructor(
    readonly run: Run,
    readonly options: RunOptions,
    /** Whether a failed item stops the workflow. */
    private readonly stops: boolean,
  ) {
    this.count = run.context.getInputData().length;
    this.#signal = run.context.getExecutionCancelSignal();
  }

  /** Checks every item; what is found at fault stops the run before it begins, or fails by itself. */
  async checkAll(): Promise<void> {
    for (const [what, index] of this.run.keys.tries?.warnings ?? []) addNote(this.warnings, what, index);
    for (let index = 0; index < this.count && !this.#isCancelled(); index += 1) {
      try {
        const call = await this.#prepare(index);
        if (index < KEPT_CALLS) this.#calls.set(index, call);
      } catch (error) {
        if (this.run.keys.tries?.outputOf(index) !== undefined) continue;
        const { context } = this.#fail(index, this.#afterEarlierTry(index, error));
        // Faults of the input are told together; one of the service would be met, and waited for, at every item.
        if (this.#stopsNow() && context['reason'] !== 'input') throw firstFailure(this);
      }
      await this.#letOthersWork();
    }
    this.#isChecked = !this.#isCancelled();
    if (this.#stopsNow()) throw firstFailure(this);
  }

  /** Carries out all items that passed the check. */
  async carryOut(): Promise<void> {
    const running = new Set<Promise<void>>();
    for (let index = 0; index < this.count; index += 1) {
      if (this.failed.has(index)) continue;
      while (running.size >= Math.min(this.options.concurrency, FIRST_ITEMS + this.done.size)) {
        await Promise.race(running);
      }
      if (this.#isCancelled() || this.#stopsNow()) break;
      const one: Promise<void> = this.#queue
        .after(this.#contacts.of(index), () => this.#carryOutOne(index))
        .finally(() => running.delete(one));
      if (index === 0) this.#first = one;
      running.add(one);
      await this.#letOthersWork();
    }
    await Promise.all(running);
    if (this.#isCancelled()) throw stopped(this);
    if (this.stops && this.failed.size > 0) throw firstFailure(this);
  }

  get hasFailures(): boolean {
    return this.failed.size > 0;
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
    const done = this.run.keys.tries?.outputOf(index);
    if (done !== undefined) {
      if (this.run.keys.lifetime !== undefined) this.sentBefore.add(index);
      this.done.set(index, done);
      return;
    }
    const earlier = await this.#earlierOpen(index);
    if (earlier !== undefined) {
      this.#fail(index, waitsFor(earlier)).context['reason'] = 'waiting';
      return;
    }
    this.#underWay.add(index);
    try {
      const call = this.#calls.get(index) ?? (await this.#prepare(index));
      this.#calls.delete(index);
      const output = await call();
      this.done.set(index, output);
      this.run.keys.tries?.settle(index, output);
    } catch (error) {
      if (this.failed.size === 0) this.caught = [...this.#underWay].filter((other) => other !== index);
      this.#fail(index, this.#afterEarlierTry(index, error));
    } finally {
      this.#underWay.delete(index);
    }
  }

  /** What a failure means where an earlier try may have carried the item out. */
  #afterEarlierTry(index: number, error: unknown): unknown {
    const unclear = this.run.keys.tries?.unclearOf(index);
    if (unclear === undefined || error instanceof MayBeDone) return error;
    const isRefusal = error instanceof AudienceError && !error.unclear;
    return unclear.dispatch === undefined && isRefusal ? new MayBeDone(error) : unclear.error;
  }

  #prepare(index: number): Promise<Call> | Call {
    const { context, session, keys, form, operation } = this.run;
    const parameters = new Parameters(context, index, form);
    const item: Item = {
      parameters,
      session,
      keys,
      signal: this.#signal,
      noteContact: (contact, others) => this.#contacts.note(index, contact, others),
      noteNothingSet: () => this.#contacts.noteNothingSet(index),
      note: (what) => addNote(this.notes, what, index),
      warn: (what) => {
        addNote(this.warnings, what, index);
        this.run.keys.tries?.warnings.push([what, index]);
      },
      noteSentBefore: (isCertain) => void (isCertain ? this.sentBefore : this.maybeBefore).add(index),
      contactNames: () => this.#contacts.of(index),
      contactUserId: () => {
        const given = this.#contacts.userIdOf(index);
        return given !== undefined && this.done.has(given.itemIndex) ? given.userId : undefined;
      },
    };
    return operation.prepare(item);
  }

  #fail(index: number, error: unknown): NodeFailure {
    const { context, form, keys } = this.run;
    const { isLaterTry, lifetime } = keys;
    const sends = lifetime !== undefined;
    const failure = toNodeError(context.getNode(), error, form, index, { isLaterTry, sends });
    this.failed.set(index, failure);
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
    return this.failed.has(0) ? open : undefined;
  }

  /** Whether nothing more is to be begun because an item failed. */
  #stopsNow(): boolean {
    return this.stops && !this.options.finishOthers && this.failed.size > 0;
  }

  #isCancelled(): boolean {
    return this.#signal?.aborted === true;
  }

  async #letOthersWork(): Promise<void> {
    if (Date.now() - this.#lastPause < LONGEST_BLOCK_MS) return;
    await sleep(0);
    this.#lastPause = Date.now();
  }

  /** How many emails and events of earlier tries the service may still carry out, of which this one has no item. */
  get inProgress(): number {
    return this.#isChecked ? this.run.keys.unclear.inProgress : 0;
  }
}

function addNote(notes: Map<string, Set<number>>, what: string, index: number): void {
  notes.set(what, (notes.get(what) ?? new Set<number>()).add(index));
}

function waitsFor(earlier: number): InputProblem {
  return new InputProblem(
    `Item ${earlier}, which changes the same contact, failed, so this item was not sent`,
    'The last item of a contact is to win, so they go out in order.',
  );
}
