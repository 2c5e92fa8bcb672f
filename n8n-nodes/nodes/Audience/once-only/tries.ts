import type { CallOptions, SendResult } from 'audience-core';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** An email or event on its way to the service. */
export interface Dispatch {
  readonly idempotencyKey: string;
  /** Of whom it is for and what it says. */
  readonly hash: string;
  /** How the output names it. */
  readonly what: IDataObject;
  readonly send: (options: CallOptions) => Promise<SendResult>;
}

/** What an earlier try may have carried out. */
export interface Unclear {
  /** Where it was sent with a key. */
  readonly dispatch?: Dispatch;
  readonly error: unknown;
}

/**
 * What the tries of one run of a node share: with Retry On Fail n8n runs the node again with the very same items, whose
 * expressions may give something else then (`$now`, `Math.random()`). It is kept for as long as n8n has the execution
 * in memory; a person's Retry begins anew.
 */
export class Tries {
  #count = 0;
  /** Whether n8n runs the node again if its first item fails. Where it does not, nothing is kept. */
  mayGoOn = false;
  readonly #items = new Map<string, number>();
  readonly #outputs = new Map<number, readonly IDataObject[]>();
  readonly #unclear = new Map<number, Unclear>();
  /** What the person is to be warned of, with the item: it holds for what later tries do not do again. */
  readonly warnings: [what: string, itemIndex: number][] = [];

  private constructor(private readonly run: number) {}

  /** Begins another try of this run of the node. */
  static begin(context: IExecuteFunctions, run: number): Tries {
    const flow = context.getContext('flow');
    const ofNodes = triesOfNodes.get(flow) ?? new Map<string, Tries>();
    triesOfNodes.set(flow, ofNodes);
    const { name } = context.getNode();
    const known = ofNodes.get(name);
    // Of earlier batches of a loop nothing is tried again.
    const tries = known?.run === run ? known : new Tries(run);
    ofNodes.set(name, tries);
    tries.#count += 1;
    const { retryOnFail, maxTries } = context.getNode();
    tries.mayGoOn = retryOnFail === true && tries.#count < Math.min(5, Math.max(2, maxTries ?? 3));
    return tries;
  }

  /** Notes which item a key is of. */
  noteItemOf(key: string, itemIndex: number): void {
    this.#items.set(key, itemIndex);
  }

  /** Whether an item other than this one has the key. */
  isOfAnotherItem(key: string, itemIndex: number): boolean {
    return (this.#items.get(key) ?? itemIndex) !== itemIndex;
  }

  /** The output of an item that an earlier try has carried out. */
  outputOf(itemIndex: number): readonly IDataObject[] | undefined {
    return this.#outputs.get(itemIndex);
  }

  /** What an earlier try may have carried out for an item. */
  unclearOf(itemIndex: number): Unclear | undefined {
    return this.#unclear.get(itemIndex);
  }

  /** Notes the output of an item that was carried out. */
  settle(itemIndex: number, output: readonly IDataObject[]): void {
    this.#unclear.delete(itemIndex);
    if (this.mayGoOn) this.#outputs.set(itemIndex, output);
  }

  noteUnclear(itemIndex: number, unclear: Unclear): void {
    if (this.mayGoOn) this.#unclear.set(itemIndex, unclear);
  }
}

/** By n8n's context of the execution, and the name of the node. */
const triesOfNodes = new WeakMap<object, Map<string, Tries>>();
