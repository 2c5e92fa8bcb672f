import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';
import { FlowMemory } from './flow-memory.js';

const memory = new FlowMemory(
  'audienceSent',
  /** By the run of a node, and by the number of an item: what went out for whom, hashed, and with which key. */
  z.record(z.string(), z.record(z.string(), z.object({ said: z.string(), key: z.string() }))),
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
  keyOf(itemIndex: number, said: string): string | undefined {
    const sent = this.#items[itemIndex];
    return sent?.said === short(said) ? sent.key : undefined;
  }

  note(itemIndex: number, said: string, key: string): void {
    this.#items[itemIndex] = { said: short(said), key };
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
