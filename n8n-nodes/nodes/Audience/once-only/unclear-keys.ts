import { AudienceError } from 'audience-core';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { KeyScope } from './execution.js';
import * as z from 'zod/mini';
import { FlowMemory } from './flow-memory.js';
import { shortHash } from '../helpers/hash.js';

/** By the hash of a key: the run of the node, and when a request may have been left in progress; 0 where none was. */
const memory = new FlowMemory(
  'audienceUnclear',
  z.record(z.string(), z.object({ nodeRun: z.string(), at: z.number() })),
  () => ({}),
);

/**
 * When the executions of this process left a request in progress, by the hash of its key: n8n gives a Retry what the
 * retried execution knew, not what another Retry of it has met since.
 */
const inProgressElsewhere = new Map<string, number>();

/** For how long a service may work on one request that has outlasted its time-out, or a stop. */
const IN_PROGRESS_MS = 3_600_000;

/** Keys of what a try of this run may have carried out. */
export class UnclearKeys {
  readonly #keys: ReturnType<typeof memory.of>;
  /** Those that this try has to do with. */
  readonly #used = new Set<string>();

  /**
   * @param nodeRun the node and the number of its run.
   * @param account whose keys they are.
   */
  constructor(
    context: IExecuteFunctions,
    private readonly nodeRun: string,
    private readonly account: string,
  ) {
    this.#keys = memory.of(context);
  }

  /** How many emails and events of earlier tries the service may still carry out, of which this try knows no item. */
  get inProgress(): number {
    return Object.entries(this.#keys).filter(
      ([key, { nodeRun, at }]) => nodeRun === this.nodeRun && isInProgress(at) && !this.#used.has(key),
    ).length;
  }

  /**
   * What it means that the service refuses the key as used: where a request with it may still be in progress, which
   * may fail yet, nothing is known. `undefined` for a key of which nothing is unclear.
   */
  scopeOf(key: string): KeyScope | undefined {
    const hash = this.#use(key);
    if (isInProgress(this.#inProgressAt(hash))) return 'anything';
    return this.#keys[hash] === undefined ? undefined : 'content';
  }

  /** To be called for each item before any is carried out. */
  expect(key: string): void {
    this.#use(key);
  }

  note(key: string, error: unknown): void {
    const hash = this.#use(key);
    const mayBeInProgress = error instanceof AudienceError && error.code === 'timeout';
    this.#keys[hash] = { nodeRun: this.nodeRun, at: mayBeInProgress ? Date.now() : this.#inProgressAt(hash) };
    if (!mayBeInProgress) return;
    inProgressElsewhere.set(hash, Date.now());
    for (const [other, at] of inProgressElsewhere) if (!isInProgress(at)) inProgressElsewhere.delete(other);
  }

  settle(key: string): void {
    const hash = this.#use(key);
    Reflect.deleteProperty(this.#keys, hash);
    inProgressElsewhere.delete(hash);
  }

  /** When a request was left in progress last; 0 where none was. */
  #inProgressAt(hash: string): number {
    return Math.max(this.#keys[hash]?.at ?? 0, inProgressElsewhere.get(hash) ?? 0);
  }

  #use(key: string): string {
    const hash = shortHash([this.account, key]);
    this.#used.add(hash);
    return hash;
  }
}

function isInProgress(at: number): boolean {
  return Date.now() - at < IN_PROGRESS_MS;
}
