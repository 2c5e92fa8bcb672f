import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';
import { FlowMemory } from './flow-memory.js';

const memory = new FlowMemory(
  'audienceSent',
  /** By the run of a node, and by the index of an item: the hash of what went out, and with which key. */
  z.record(z.string(), z.record(z.string(), z.object({ hash: z.string(), key: z.string() }))),
  () => ({}),
);

/**
 * With which keys the items of a run went out, or may have. n8n keeps it with an execution that failed: who corrects a
 * key, or chooses another kind of key, does not mean that what went out by then is to go out once more.
 */
export class SentItems {
  readonly #ofRuns: ReturnType<typeof memory.of>;
  readonly #items: ReturnType<typeof memory.of>[string];

  /** @param nodeRun the node, the number of its run, and the account. */
  constructor(
    context: IExecuteFunctions,
    private readonly nodeRun: string,
  ) {
    this.#ofRuns = memory.of(context);
    this.#items = { ...this.#ofRuns[nodeRun] };
  }

  /** The key with which the very same went out for an item, or may have. */
  keyOf(itemIndex: number, hash: string): string | undefined {
    const sent = this.#items[itemIndex];
    return sent?.hash === short(hash) ? sent.key : undefined;
  }

  note(itemIndex: number, hash: string, key: string): void {
    this.#items[itemIndex] = { hash: short(hash), key };
  }

  /** Keeps what is known for a later try, where one may come. */
  keep(mayBeTriedAgain: boolean): void {
    Reflect.deleteProperty(this.#ofRuns, this.nodeRun);
    if (mayBeTriedAgain && Object.keys(this.#items).length > 0) this.#ofRuns[this.nodeRun] = this.#items;
  }
}

function short(hash: string): string {
  return hash.slice(0, 16);
}
