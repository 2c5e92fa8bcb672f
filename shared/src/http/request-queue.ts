import { onAbort } from './on-abort.js';

/** A request that waits for its turn. */
export interface Turn {
  /** Time at which the wait ends in vain, in milliseconds since 1970; may be infinite. */
  readonly deadline: number;
  /** Ends the wait. */
  readonly signal: AbortSignal | undefined;
  /** Whether it was sent before: a retry goes before first attempts. */
  readonly retry: boolean;
}

/** How a wait ended. */
export type TurnOutcome = 'entered' | 'expired' | 'aborted';

interface Waiting {
  readonly turn: Turn;
  readonly resolve: (outcome: TurnOutcome) => void;
  /** Ends the listening to the signal. */
  stop: () => void;
}

/** First come, first served, each in constant time; who gives up goes from the middle. */
class Fifo extends Set<Waiting> {
  /** Goes along with the set: one from the start would pass over all places that were left before. */
  #upcoming = this.values();

  shift(): Waiting | undefined {
    let next = this.#upcoming.next();
    if (next.done === true) {
      this.#upcoming = this.values();
      next = this.#upcoming.next();
    }
    if (next.done === true) return undefined;
    this.delete(next.value);
    return next.value;
  }
}

/** Those who wait: retries before first attempts, and each in the order in which they came. */
export class RequestQueue {
  readonly #retries = new Fifo();
  readonly #firstAttempts = new Fifo();
  readonly #onLeft: () => void;
  #nearestDeadline = Number.POSITIVE_INFINITY;

  /** @param onLeft is called after somebody gave up because of a signal. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  /** How many wait. */
  get size(): number {
    return this.#retries.size + this.#firstAttempts.size;
  }

  /** A time before which nobody's deadline passes. */
  get nearestDeadline(): number {
    return this.#nearestDeadline;
  }

  /** Waits until let in, or until the signal or a call of `expire` ends it. */
  wait(turn: Turn): Promise<TurnOutcome> {
    this.#nearestDeadline = Math.min(this.#nearestDeadline, turn.deadline);
    return new Promise((resolve) => {
      const waiting: Waiting = { turn, resolve, stop: () => undefined };
      this.#queueOf(waiting).add(waiting);
      if (turn.signal === undefined) return;
      waiting.stop = onAbort(turn.signal, () => {
        this.#end(waiting, 'aborted');
        this.#onLeft();
      });
    });
  }

  /** Lets in who is next; `false` if nobody waits. */
  letIn(): boolean {
    const next = this.#retries.shift() ?? this.#firstAttempts.shift();
    if (next !== undefined) this.#end(next, 'entered');
    return next !== undefined;
  }

  /** Ends the waits whose deadline has come. Looks at everybody, so it is for when the nearest deadline has passed. */
  expire(now: number): void {
    this.#nearestDeadline = Number.POSITIVE_INFINITY;
    for (const queue of [this.#retries, this.#firstAttempts]) {
      for (const waiting of queue) {
        if (waiting.turn.deadline <= now) this.#end(waiting, 'expired');
        else this.#nearestDeadline = Math.min(this.#nearestDeadline, waiting.turn.deadline);
      }
    }
  }

  /** Ends all waits. */
  abortAll(): void {
    for (const queue of [this.#retries, this.#firstAttempts]) {
      for (const waiting of queue) this.#end(waiting, 'aborted');
    }
  }

  #end(waiting: Waiting, outcome: TurnOutcome): void {
    this.#queueOf(waiting).delete(waiting);
    waiting.stop();
    waiting.resolve(outcome);
  }

  #queueOf({ turn }: Waiting): Fifo {
    return turn.retry ? this.#retries : this.#firstAttempts;
  }
}
