import { messageInBody } from './decode.js';
import type { KeyScope } from './idempotency.js';
import { mayHaveArrived } from './retry.js';
import type { AttemptOutcome } from './retry.js';

/**
 * How long a request whose connection was cut, or that failed with a 5xx, may still be in progress in the service:
 * as long as the caller gives an attempt, and at least this many milliseconds. One that outlasted a time-out, ours or
 * a gateway's (408, 504), or that had no answer for this long when its connection was cut or it was aborted, may be so
 * for any time.
 */
const STILL_IN_PROGRESS_MS = 10_000;

const OF_THE_KEY =
  /idempot|\b(request|key)\b[^.]*\b(used|duplicate|repeated|processed|processing|sent|in progress)\b|\bduplicate request\b/i;

/** Bodies that say nothing, less their spaces. */
const SILENT = ['', '{}', '{"success":false}'];

/**
 * Whether the body of a 409 speaks of a used key, or says nothing: it may be of anything else, or of an earlier
 * request that failed.
 */
export function speaksOfKey(body: string): boolean {
  const said = messageInBody(body) ?? body;
  return SILENT.includes(said.replace(/\s/g, '')) || (OF_THE_KEY.test(said) && !/\bfail/i.test(said));
}

/** What a 409 to a keyed call means. */
export type ConflictMeaning =
  /** An earlier attempt may still be in progress: ask again, until `until` or the deadline, with the same key. */
  | { readonly kind: 'in-progress'; readonly until: number }
  /** The very same content was sent before, and is done. */
  | { readonly kind: 'sent-before' }
  /** The key has been used; it is not known for which request. */
  | { readonly kind: 'conflict' };

/**
 * What is known of the earlier attempts of a keyed call. There are two kinds of services: those that replay the
 * response to a used key, and those that refuse the key with 409; both refuse it while a request is in progress.
 */
export class EarlierAttempts {
  /** Whether one of them may have been carried out. */
  unclear = false;
  #inProgressUntil = Number.NEGATIVE_INFINITY;
  readonly #inProgressMs: number;

  /**
   * @param scope what the key of the call goes with.
   * @param timeoutMs what the caller gives an attempt.
   */
  constructor(
    private readonly scope: KeyScope,
    timeoutMs: number,
  ) {
    this.#inProgressMs = Math.max(STILL_IN_PROGRESS_MS, timeoutMs);
  }

  /** Whether one of them outlasted a time-out: there is no telling when it ends. */
  get mayBeInProgress(): boolean {
    return this.#inProgressUntil === Number.POSITIVE_INFINITY;
  }

  /** Notes how an attempt ended that had begun at `begunAt`. */
  add(outcome: AttemptOutcome, begunAt: number, now: number): void {
    if (!mayHaveArrived(outcome)) return;
    this.unclear = true;
    const isTimeout =
      outcome.kind === 'timeout' ||
      (outcome.kind === 'response' && [408, 504].includes(outcome.status)) ||
      (outcome.kind === 'network' && now - begunAt >= STILL_IN_PROGRESS_MS);
    this.#expect(isTimeout ? Number.POSITIVE_INFINITY : now + this.#inProgressMs);
  }

  /** Says what a 409 to the next attempt means. */
  meaningOfConflict(now: number): ConflictMeaning {
    if (!this.unclear) {
      // Nothing of this call can have used the key; an earlier call with the same content can.
      if (this.scope !== 'content') return { kind: 'conflict' };
      if (this.#inProgressUntil === Number.NEGATIVE_INFINITY) this.#expect(now + this.#inProgressMs);
    }
    if (now < this.#inProgressUntil) return { kind: 'in-progress', until: this.#inProgressUntil };
    return { kind: this.scope === 'anything' ? 'conflict' : 'sent-before' };
  }

  #expect(until: number): void {
    this.#inProgressUntil = Math.max(this.#inProgressUntil, until);
  }
}
