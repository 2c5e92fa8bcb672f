import { onAbort } from './on-abort.js';

/** A request that waits for its turn. */
export interface Turn {
  /** Time at which the wait ends in vain, in milliseconds since 1970; may be infinite. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** Whether it was sent before: a retry goes before first attempts. */
  readonly retry: boolean;
}

export type TurnOutcome = 'entered' | 'expired' | 'aborted';

interface Waiting extends Turn {
  readonly resolve: (outcome: TurnOutcome) => void;
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
  /** No deadline passes before this time. */
  nearestDeadline = Number.POSITIVE_INFINITY;

  /** @param onAbort is called after a signal has ended a wait. */
  constructor(private readonly onAbort: () => void) {}

  get size(): number {
    return this.#retries.size + this.#firstAttempts.size;
  }

  /** Waits until let in, or until the signal or `expire` ends it. */
  wait(turn: Turn): Promise<TurnOutcome> {
    this.nearestDeadline = Math.min(this.nearestDeadline, turn.deadline);
    return new Promise((resolve) => {
      const waiting: Waiting = { ...turn, resolve, stop: () => undefined };
      this.#queueOf(waiting).add(waiting);
      if (turn.signal === undefined) return;
      waiting.stop = onAbort(turn.signal, () => {
        this.#end(waiting, 'aborted');
        this.onAbort();
      });
    });
  }

  /** Lets in who is next; `false` if nobody waits. */
  letIn(): boolean {
    const next = this.#retries.shift() ?? this.#firstAttempts.shift();
    if (next !== undefined) this.#end(next, 'entered');
    return next !== undefined;
  }

  /** Ends the waits whose deadline has come. It looks at all waits, so call it only when one is due. */
  expire(now: number, outcome: TurnOutcome = 'expired'): void {
    this.nearestDeadline = Number.POSITIVE_INFINITY;
    for (const queue of [this.#retries, this.#firstAttempts]) {
      for (const waiting of queue) {
        if (waiting.deadline <= now) this.#end(waiting, outcome);
        else this.nearestDeadline = Math.min(this.nearestDeadline, waiting.deadline);
      }
    }
  }

  #end(waiting: Waiting, outcome: TurnOutcome): void {
    this.#queueOf(waiting).delete(waiting);
    waiting.stop();
    waiting.resolve(outcome);
  }

  #queueOf({ retry }: Turn): Fifo {
    return retry ? this.#retries : this.#firstAttempts;
  }
}
