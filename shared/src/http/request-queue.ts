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

interface Waiting {
  readonly turn: Turn;
  readonly resolve: (outcome: TurnOutcome) => void;
  stop: () => void;
}

/** First come, first served, each in constant time; those that give up leave from the middle. */
class Fifo extends Set<Waiting> {
  /** It goes along with the set: a new one would pass over all that left before. */
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

/** Requests that wait: retries before first attempts, each in the order of arrival. */
export class RequestQueue {
  readonly #retries = new Fifo();
  readonly #firstAttempts = new Fifo();
  #nearestDeadline = Number.POSITIVE_INFINITY;

  /** @param onAbort is called after a signal has ended a wait. */
  constructor(private readonly onAbort: () => void) {}

  get size(): number {
    return this.#retries.size + this.#firstAttempts.size;
  }

  /** A time before which nobody's deadline passes. */
  get nearestDeadline(): number {
    return this.#nearestDeadline;
  }

  /** Waits until let in, or until the signal or `expire` ends it. */
  wait(turn: Turn): Promise<TurnOutcome> {
    this.#nearestDeadline = Math.min(this.#nearestDeadline, turn.deadline);
    return new Promise((resolve) => {
      const waiting: Waiting = { turn, resolve, stop: () => undefined };
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
    this.#nearestDeadline = Number.POSITIVE_INFINITY;
    for (const queue of [this.#retries, this.#firstAttempts]) {
      for (const waiting of queue) {
        if (waiting.turn.deadline <= now) this.#end(waiting, outcome);
        else this.#nearestDeadline = Math.min(this.#nearestDeadline, waiting.turn.deadline);
      }
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
