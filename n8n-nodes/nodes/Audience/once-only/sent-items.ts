import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';
import { FlowMemory } from './flow-memory.js';

const sentSchema = z.object({
  /** With which key it went out, or may have. */
  key: z.string(),
  /** Whether the key may have been used for something else before. */
  unclear: z.optional(z.literal(true)),
});
type Sent = z.infer<typeof sentSchema>;

const memory = new FlowMemory(
  'audienceSent',
  /** By the run of a node, the index of an item, and the hash of what went out for whom. */
  z.record(z.string(), z.record(z.string(), z.record(z.string(), sentSchema))),
  () => ({}),
);

/** It was sent, there was no clear answer, or the service says that the key is used, which may be by something else. */
type Outcome = 'sent' | 'unclear' | 'used';

/**
 * What the items of a run have sent, or may have, each with its key. n8n keeps it with an execution that failed: who
 * corrects a key, or chooses another kind of key, does not mean that what went out by then is to go out once more.
 */
export class SentItems {
  readonly #ofRuns: ReturnType<typeof memory.of>;
  readonly #items: ReturnType<typeof memory.of>[string];
  /** The item that a key is of: the first one that went out with it. */
  readonly #itemOfKey = new Map<string, string>();

  /** @param nodeRun the node, the number of its run, and the account. */
  constructor(
    context: IExecuteFunctions,
    private readonly nodeRun: string,
  ) {
    this.#ofRuns = memory.of(context);
    this.#items = { ...this.#ofRuns[nodeRun] };
    for (const [item, sent] of Object.entries(this.#items))
      for (const { key } of Object.values(sent))
        if (!this.#itemOfKey.has(key)) this.#itemOfKey.set(key, item);
  }

  /** How the very same went out for an item, or may have. */
  find(itemIndex: number, hash: string): Sent | undefined {
    return this.#items[itemIndex]?.[short(hash)];
  }

  /** Whether another item went out with a key, or may have. */
  isOfAnotherItem(key: string, itemIndex: number): boolean {
    return (this.#itemOfKey.get(key) ?? String(itemIndex)) !== String(itemIndex);
  }

  /** Another item that went out with a key for another content, or may have; `undefined` where there is none. */
  otherContent(key: string, itemIndex: number, hash: string): { item: string; unclear: boolean } | undefined {
    const item = this.#itemOfKey.get(key);
    if (item === undefined || item === String(itemIndex)) return undefined;
    const sent = Object.entries(this.#items[item] ?? {}).filter(([, one]) => one.key === key);
    if (sent.some(([content]) => content === short(hash))) return undefined;
    return { item, unclear: sent.every(([, { unclear }]) => unclear) };
  }

  /** Notes what came of it that something was sent for an item. */
  note(itemIndex: number, hash: string, key: string, outcome: Outcome): void {
    const item = String(itemIndex);
    if (outcome === 'sent') {
      // The service carries out one request with a key: what was unclear of others with it was none.
      this.#clear(key, this.#itemOfKey.get(key) ?? item);
      this.#clear(key, item);
      this.#itemOfKey.set(key, item);
    } else {
      const known = this.find(itemIndex, hash);
      if (known?.key === key && known.unclear === undefined) return;
      if (this.isOfAnotherItem(key, itemIndex) || this.#isOfOtherContent(key, item, hash, outcome)) return;
      this.#itemOfKey.set(key, item);
    }
    const sent = outcome === 'sent' ? { key } : { key, unclear: true as const };
    this.#items[item] = { ...this.#items[item], [short(hash)]: sent };
  }

  /** Keeps what is known for a later try, where one may come. */
  keep(mayBeTriedAgain: boolean): void {
    Reflect.deleteProperty(this.#ofRuns, this.nodeRun);
    if (mayBeTriedAgain && Object.keys(this.#items).length > 0) this.#ofRuns[this.nodeRun] = this.#items;
  }

  /** Whether a key says nothing of a content, as the item went out with it before it was corrected, or may have. */
  #isOfOtherContent(key: string, item: string, hash: string, outcome: Outcome): boolean {
    return Object.entries(this.#items[item] ?? {})
      .filter(([other, sent]) => other !== short(hash) && sent.key === key)
      .some(([, { unclear }]) => outcome === 'used' || unclear === undefined);
  }

  /** Forgets what may have gone out with a key for an item. */
  #clear(key: string, item: string): void {
    const kept = Object.entries(this.#items[item] ?? {}).filter(
      ([, sent]) => sent.key !== key || sent.unclear === undefined,
    );
    this.#items[item] = Object.fromEntries(kept);
  }
}

function short(hash: string): string {
  return hash.slice(0, 12);
}
