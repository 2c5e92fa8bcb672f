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

  constructor(context: IExecuteFunctions) {
    this.#flow = context.getContext('flow');
  }

  /** Whether an earlier try may have carried out what has the key. */
  has(key: string): boolean {
    return this.#kept[shortHash(key)] !== undefined;
  }

  /**
   * What it means that the service refuses the key as used: where a request with it may still be in progress, which
   * may fail yet, nothing is known.
   */
  scopeOf(key: string): KeyScope | undefined {
    const at = this.#kept[shortHash(key)];
    if (at === undefined) return undefined;
    return Date.now() - at < IN_PROGRESS_MS ? 'anything' : 'content';
  }

  note(key: string, error: unknown): void {
    const isTimeout =
      error instanceof TimeoutError ||
      (error instanceof AudienceError && [408, 504].includes(error.status ?? 0));
    const hash = shortHash(key);
    this.#flow[FIELD] = { ...this.#kept, [hash]: isTimeout ? Date.now() : (this.#kept[hash] ?? 0) };
  }

  settle(key: string): void {
    const { [shortHash(key)]: settled, ...others } = this.#kept;
    if (settled !== undefined) this.#flow[FIELD] = others;
  }

  get #kept(): z.infer<typeof keptSchema> {
    return keptSchema.safeParse(this.#flow[FIELD]).data ?? {};
  }
}

const FIELD = 'audienceUnclear';
