import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';

const entrySchema = z.object({
  /** Its output, once it was carried out. */
  done: z.optional(z.custom<readonly IDataObject[]>((value) => Array.isArray(value))),
  /** When a request was sent that may have been carried out, in milliseconds. */
  unclearSince: z.optional(z.number()),
  /** How often the service has refused it: a corrected item goes out with another key. */
  refusals: z.number(),
});

/** What is known of one item. */
export type Entry = z.infer<typeof entrySchema>;

const storeSchema = z.object({
  anchor: z.optional(z.string()),
  /** By node: the first `$runIndex` that it has seen. */
  firstRuns: z.record(z.string(), z.number()),
  /** By account, node and number of its run; then by operation and index of the item. */
  items: z.record(z.string(), z.record(z.string(), entrySchema)),
});

/** What the nodes of an execution keep in n8n's context of it. */
export type Store = z.infer<typeof storeSchema>;

const NAME = 'audience';
const read = new WeakMap<object, Store>();

/**
 * The one store of this package. n8n keeps the flow's context with a failed execution, so that Retry has it; a crash
 * loses it. It is read once; changes go into the same object.
 */
export function storeOf(context: IExecuteFunctions): Store {
  const flow = context.getContext('flow');
  const known = read.get(flow);
  if (known !== undefined) return known;
  const store = storeSchema.safeParse(flow[NAME]).data ?? { firstRuns: {}, items: {} };
  read.set(flow, store);
  flow[NAME] = store;
  return store;
}

/** What is known of the items of one run of a node, of one account. */
export class ItemStore {
  readonly #items: Record<string, Entry>;

  /** @param run names account, node and number of its run. */
  constructor(
    private readonly store: Store,
    private readonly run: string,
  ) {
    this.#items = store.items[run] ??= {};
  }

  /** The entry of an item, `undefined` where there is none. */
  of(id: string): Entry | undefined {
    return Object.hasOwn(this.#items, id) ? this.#items[id] : undefined;
  }

  noteDone(id: string, output: readonly IDataObject[]): void {
    this.#items[id] = { refusals: this.of(id)?.refusals ?? 0, done: output };
  }

  /** @param at when the request was sent, in milliseconds. */
  noteUnclear(id: string, at: number): void {
    this.#items[id] = { refusals: this.of(id)?.refusals ?? 0, unclearSince: at };
  }

  noteRefused(id: string): void {
    this.#items[id] = { refusals: (this.of(id)?.refusals ?? 0) + 1 };
  }

  /** To be called when all items have succeeded: no Retry needs them. */
  drop(): void {
    Reflect.deleteProperty(this.store.items, this.run);
  }
}
