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
      for (const { key } of Object.values(sent)) this.#noteKey(key, item);
  }

  /** How the very same went out for an item, or may have. */
  find(itemIndex: number, hash: string): Sent | undefined {
    return this.#items[itemIndex]?.[short(hash)];
  }

  /** Whether something else may have gone out with a key: for another item, or before the item was corrected. */
  isOfAnother(key: string, itemIndex: number, hash: string): boolean {
    const item = this.#itemOfKey.get(key);
    if (item !== undefined && item !== String(itemIndex)) return true;
    const ofItem = Object.entries(this.#items[itemIndex] ?? {});
    return ofItem.some(([other, sent]) => other !== short(hash) && sent.key === key);
  }

  /** Another item that had the key for another content; `undefined` where there is none. */
  otherContent(key: string, itemIndex: number, hash: string): string | undefined {
    const item = this.#itemOfKey.get(key);
    if (item === undefined || item === String(itemIndex)) return undefined;
    return this.#items[item]?.[short(hash)]?.key === key ? undefined : item;
  }

  /** Notes what went out for an item, or may have: what is known takes the place of what is unclear. */
  note(itemIndex: number, hash: string, key: string, isUnclear: boolean): void {
    const known = this.find(itemIndex, hash);
    if (isUnclear && known?.key === key && known.unclear === undefined) return;
    const item = String(itemIndex);
    const other = this.#itemOfKey.get(key);
    if (!isUnclear && other !== undefined && other !== item) {
      this.#items[other] = Object.fromEntries(
        Object.entries(this.#items[other] ?? {}).filter(
          ([, sent]) => sent.key !== key || sent.unclear !== true,
        ),
      );
      this.#itemOfKey.set(key, item);
    }
    this.#items[item] = { ...this.#items[item], [short(hash)]: isUnclear ? { key, unclear: true } : { key } };
    this.#noteKey(key, item);
  }

  /** Keeps what is known for a later try, where one may come. */
  keep(mayBeTriedAgain: boolean): void {
    Reflect.deleteProperty(this.#ofRuns, this.nodeRun);
    if (mayBeTriedAgain && Object.keys(this.#items).length > 0) this.#ofRuns[this.nodeRun] = this.#items;
  }

  #noteKey(key: string, item: string): void {
    if (!this.#itemOfKey.has(key)) this.#itemOfKey.set(key, item);
  }
}

function short(hash: string): string {
  return hash.slice(0, 12);
}
