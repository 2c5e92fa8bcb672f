import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';

const entrySchema = z.union([
  /** `refused` so often, 0 for a new item: each time it gets another key. `open` may be sent, and keeps its key. */
  z.object({ state: z.enum(['refused', 'open']), times: z.number() }),
  z.object({
    state: z.literal('done'),
    output: z.custom<readonly IDataObject[]>((value) => Array.isArray(value)),
    /** Of a call by a model: the newest execution that made it. */
    execution: z.optional(z.string()),
  }),
]);

/** What is known of one item. */
export type Entry = z.infer<typeof entrySchema>;

const bucketSchema = z.object({
  /** When the node first tried, in milliseconds. */
  since: z.number(),
  /** By place. */
  items: z.record(z.string(), entrySchema),
});

/** What is known of the items of one run of a node, for one base URL. A new API key changes nothing. */
export type Bucket = z.infer<typeof bucketSchema>;

const storeSchema = z.object({
  anchor: z.optional(z.string()),
  /** Whether a Retry began without a store, as after a crash: what it does not know may have been carried out. */
  isLost: z.optional(z.boolean()),
  /** By node: the first `$runIndex` that it has seen. */
  firstRuns: z.record(z.string(), z.number()),
  runs: z.record(z.string(), bucketSchema),
});

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
  const store = storeSchema.safeParse(flow[NAME]).data ?? { firstRuns: {}, runs: {} };
  read.set(flow, store);
  flow[NAME] = store;
  return store;
}

const underWay = new WeakMap<Bucket, Set<string>>();

/** Places of the calls by a model that are under way in this process. */
export function callsUnderWay(bucket: Bucket): Set<string> {
  const places = underWay.get(bucket) ?? new Set<string>();
  underWay.set(bucket, places);
  return places;
}
