import { onAbort } from './abort.js';
import type { TransportResponse } from './transport.js';

/** A request that waits for its turn. */
export interface Turn {
  readonly signal: AbortSignal | undefined;
  /** Whether it was sent before: a retry goes before first attempts. */
  readonly retry: boolean;
}

/** How a wait ends: the request may begin, the wait was ended, or the service refuses all with this 429. */
export type Entry = 'in' | 'ended' | TransportResponse;

type End = (entry: Entry) => void;

/** Serves in the order of arrival, and removes from the middle, in constant time. */
class Fifo extends Set<End> {
  /** Kept between calls: a new iterator would skip all removed entries again. */
  #upcoming = this.values();

  shift(): End | undefined {
    let next = this.#upcoming.next();
    if (next.done === true) next = (this.#upcoming = this.values()).next();
    return next.value;
  }
}

/** Requests that wait: retries before first attempts, each in the order of arrival. */
export class RequestQueue {
  readonly #retries = new Fifo();
  readonly #firstAttempts = new Fifo();

  get size(): number {
    return this.#retries.size + this.#firstAttempts.size;
  }

  /** Waits until let in, or until the signal or `end` ends it; `onAborted` is called after the signal has. */
  wait({ signal, retry }: Turn, onAborted: () => void): Promise<Entry> {
    const queue = retry ? this.#retries : this.#firstAttempts;
    return new Promise((resolve) => {
      const end: End = (entry) => {
        queue.delete(end);
        stopListening();
        resolve(entry);
      };
      queue.add(end);
      const stopListening = onAbort(signal, () => {
        end('ended');
        onAborted();
      });
    });
  }

  /** Lets in who is next; `false` if no request waits. */
  letIn(): boolean {
    const next = this.#retries.shift() ?? this.#firstAttempts.shift();
    next?.('in');
    return next !== undefined;
  }

  /** Ends all waits in vain. */
  end(entry: Entry): void {
    for (const end of [...this.#retries, ...this.#firstAttempts]) end(entry);
  }
}
