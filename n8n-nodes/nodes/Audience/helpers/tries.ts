import type { SendResult } from 'audience-core';
import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What the tries of one run of a node share: with Retry On Fail n8n runs the node again with the very same items. It is
 * kept for as long as n8n has the execution in memory; a person's Retry begins anew.
 */
export class Tries {
  #count = 0;
  readonly #keys = new Map<number, { readonly about: string; readonly key: string }>();
  readonly #items = new Map<string, number>();
  readonly #results = new Map<string, SendResult>();

  private constructor(private readonly run: number) {}

  /** Those of this run of the node, of which another one begins. */
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
    return tries;
  }

  /** Whether n8n runs the node again if its first item fails. */
  mayGoOn(context: IExecuteFunctions): boolean {
    const { retryOnFail, maxTries } = context.getNode();
    return retryOnFail === true && this.#count < Math.min(5, Math.max(2, maxTries ?? 3));
  }

  /** @param about whom and what the key is for. */
  keyOf(itemIndex: number, about: string): string | undefined {
    const known = this.#keys.get(itemIndex);
    return known?.about === about ? known.key : undefined;
  }

  /** Whether an item other than this one has the key. */
  isOfAnother(key: string, itemIndex: number): boolean {
    return (this.#items.get(key) ?? itemIndex) !== itemIndex;
  }

  remember(itemIndex: number, about: string, key: string): void {
    this.#keys.set(itemIndex, { about, key });
    this.#items.set(key, itemIndex);
  }

  /** What came of sending an item with a key, in an earlier try or in this one. */
  resultOf(itemIndex: number, key: string): SendResult | undefined {
    return this.#results.get(`${itemIndex} ${key}`);
  }

  /** Notes that an item is carried out: a later try need not ask the service, which may take long to tell. */
  settle(itemIndex: number, result: SendResult): void {
    this.#results.set(`${itemIndex} ${result.idempotencyKey}`, result);
  }
}

/** By n8n's context of the execution, and the name of the node. */
const triesOfNodes = new WeakMap<object, Map<string, Tries>>();
