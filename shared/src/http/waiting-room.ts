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
}

/** First come, first served, each in constant time; who gives up goes from the middle. */
class Line extends Set<Waiting> {
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
export class WaitingRoom {
  readonly #retries = new Line();
  readonly #firstAttempts = new Line();
  readonly #bySignal = new Map<
    AbortSignal,
    { readonly waiting: Set<Waiting>; readonly onAbort: () => void }
  >();
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
      const waiting = { turn, resolve };
      this.#lineOf(waiting).add(waiting);
      if (turn.signal !== undefined) this.#listen(turn.signal, waiting);
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
    for (const line of [this.#retries, this.#firstAttempts]) {
      for (const waiting of line) {
        if (waiting.turn.deadline <= now) this.#end(waiting, 'expired');
        else this.#nearestDeadline = Math.min(this.#nearestDeadline, waiting.turn.deadline);
      }
    }
  }

  #end(waiting: Waiting, outcome: TurnOutcome): void {
    this.#lineOf(waiting).delete(waiting);
    if (waiting.turn.signal !== undefined) this.#stopListening(waiting.turn.signal, waiting);
    waiting.resolve(outcome);
  }

  #lineOf({ turn }: Waiting): Line {
    return turn.retry ? this.#retries : this.#firstAttempts;
  }

  /** One listener per signal: a signal goes through all it has whenever one is added, and thousands may share it. */
  #listen(signal: AbortSignal, waiting: Waiting): void {
    const group = this.#bySignal.get(signal);
    if (group !== undefined) {
      group.waiting.add(waiting);
      return;
    }
    const all = new Set([waiting]);
    const onAbort = (): void => {
      for (const each of all) this.#end(each, 'aborted');
      this.#onLeft();
    };
    this.#bySignal.set(signal, { waiting: all, onAbort });
    signal.addEventListener('abort', onAbort);
  }

  #stopListening(signal: AbortSignal, waiting: Waiting): void {
    const group = this.#bySignal.get(signal);
    if (group?.waiting.delete(waiting) !== true || group.waiting.size > 0) return;
    this.#bySignal.delete(signal);
    signal.removeEventListener('abort', group.onAbort);
  }
}
