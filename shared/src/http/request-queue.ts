import { onAbort } from './on-abort.js';

/** A request that waits for its turn. */
export interface Turn {
  readonly signal: AbortSignal | undefined;
  /** Whether it was sent before: a retry goes before first attempts. */
  readonly retry: boolean;
}

interface Waiting extends Turn {
  readonly resolve: (isIn: boolean) => void;
  stop: () => void;
}

/** Serves in the order of arrival, and removes from the middle, in constant time. */
class Fifo extends Set<Waiting> {
  /** Kept between calls: a new iterator would skip all removed entries once more. */
  #upcoming = this.values();

  shift(): Waiting | undefined {
    let next = this.#upcoming.next();
    if (next.done === true) next = (this.#upcoming = this.values()).next();
    if (next.done === true) return undefined;
    this.delete(next.value);
    return next.value;
  }
}

/** Requests that wait: retries before first attempts, each in the order of arrival. */
export class RequestQueue {
  readonly #retries = new Fifo();
  readonly #firstAttempts = new Fifo();

  /** @param onAbort is called after a signal has ended a wait. */
  constructor(private readonly onAbort: () => void) {}

  get size(): number {
    return this.#retries.size + this.#firstAttempts.size;
  }

  /** Waits until let in (`true`), or until the signal or `close` ends it. */
  wait(turn: Turn): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = { ...turn, resolve, stop: () => undefined };
      this.#queueOf(waiting).add(waiting);
      if (turn.signal === undefined) return;
      waiting.stop = onAbort(turn.signal, () => {
        this.#end(waiting, false);
        this.onAbort();
      });
    });
  }

  /** Lets in who is next; `false` if no request waits. */
  letIn(): boolean {
    const next = this.#retries.shift() ?? this.#firstAttempts.shift();
    if (next !== undefined) this.#end(next, true);
    return next !== undefined;
  }

  /** Ends all waits in vain. */
  close(): void {
    for (const queue of [this.#retries, this.#firstAttempts])
      for (const waiting of queue) this.#end(waiting, false);
  }

  #end(waiting: Waiting, isIn: boolean): void {
    this.#queueOf(waiting).delete(waiting);
    waiting.stop();
    waiting.resolve(isIn);
  }

  #queueOf({ retry }: Turn): Fifo {
    return retry ? this.#retries : this.#firstAttempts;
  }
}
