import { AudienceError, TimeoutError } from 'audience-core';
import type { KeyScope } from 'audience-core';
import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';
import { shortHash } from './hash.js';

/** By the hash of a key, when the service may still have worked on what timed out; 0 where nothing did. */
const keptSchema = z.record(z.string(), z.number());

/** For how long a service may work on one request that has outlasted its time-out. */
const IN_PROGRESS_MS = 3_600_000;

/** Keys of what a try of this run may have carried out. n8n keeps them with the execution, for its Retry. */
export class UnclearKeys {
  readonly #flow: Record<string, unknown>;
  readonly #keys: z.infer<typeof keptSchema>;

  constructor(context: IExecuteFunctions) {
    this.#flow = context.getContext('flow');
    this.#keys = keysOfFlows.get(this.#flow) ?? keptSchema.safeParse(this.#flow[FIELD]).data ?? {};
    keysOfFlows.set(this.#flow, this.#keys);
  }

  /**
   * What it means that the service refuses the key as used: where a request with it may still be in progress, which
   * may fail yet, nothing is known. `undefined` for a key of which nothing is unclear.
   */
  scopeOf(key: string): KeyScope | undefined {
    const at = this.#keys[shortHash(key)];
    if (at === undefined) return undefined;
    return Date.now() - at < IN_PROGRESS_MS ? 'anything' : 'content';
  }

  note(key: string, error: unknown): void {
    const isTimeout =
      error instanceof TimeoutError ||
      (error instanceof AudienceError && [408, 504].includes(error.status ?? 0));
    const hash = shortHash(key);
    this.#keys[hash] = isTimeout ? Date.now() : (this.#keys[hash] ?? 0);
    this.#flow[FIELD] = this.#keys;
  }

  settle(key: string): void {
    Reflect.deleteProperty(this.#keys, shortHash(key));
  }
}

const FIELD = 'audienceUnclear';

/** Shared by the nodes of an execution; n8n's context is read once, and not for each item. */
const keysOfFlows = new WeakMap<object, z.infer<typeof keptSchema>>();
