/** How far the rate is let grow above what was accepted before it pauses; so much is cut at least at a refusal. */
const HEADROOM = 1.15;
/** Time in which the rate is back at its headroom, in milliseconds; it is cut at most once in that time. */
const PERIOD_MS = 1_000;
/** After so long without a cut the limit is forgotten, in milliseconds. */
const FORGET_MS = 10_000;
/** Fewer refusals in a period may be chance. */
const FEWEST_REFUSALS = 5;
/** Shortest time from which a rate is measured, in milliseconds: what comes at once tells little. */
const SHORTEST_MEASURE_MS = 100;
/** Slowest rate, in requests per second. */
const SLOWEST = 0.5;

/**
 * The rate that a service can take, learned from its 429 responses.
 *
 * There is no limit until a service refuses too many. Then the rate is cut to what it accepted, and grows again:
 * quickly up to a headroom above that, slowly past it, then ever faster. A refusal cuts it anew. That is the curve of
 * TCP CUBIC (RFC 9438), which the AWS SDKs use in their adaptive retry mode; here it is in shares of the accepted
 * rate, so that it fits a limit of any size, and whatever a client has of a limit that it shares.
 */
export class AdaptiveRate {
  /** What was accepted per second before the last cut; infinite while no limit is known. */
  #base = Number.POSITIVE_INFINITY;
  /** Time of the last cut; while no limit is known, of the beginning of the period. */
  #since = Number.NEGATIVE_INFINITY;
  #accepted = 0;
  #refused = 0;

  /** Requests per second at a time; infinite while no limit is known. */
  at(now: number): number {
    this.#forget(now);
    const periods = Math.max(0, now - this.#since) / PERIOD_MS;
    return this.#base * (HEADROOM + (HEADROOM - 1) * (periods - 1) ** 3);
  }

  /** Tells that the service had room for a request. */
  accepted(now: number): void {
    this.#forget(now);
    this.#accepted += 1;
  }

  /** Tells that the service answered 429. */
  limited(now: number): void {
    const rate = this.at(now);
    const elapsed = now - this.#since;
    this.#refused += 1;
    const tooMany =
      rate === Number.POSITIVE_INFINITY
        ? this.#refused >= FEWEST_REFUSALS && this.#refused > (HEADROOM - 1) * this.#accepted
        : elapsed >= PERIOD_MS;
    if (!tooMany) return;
    const acceptedRate = (this.#accepted * 1_000) / Math.max(SHORTEST_MEASURE_MS, elapsed);
    this.#begin(now, Math.max(SLOWEST, Math.min(rate / HEADROOM, acceptedRate)));
  }

  #forget(now: number): void {
    const elapsed = Math.abs(now - this.#since);
    const longest = this.#base === Number.POSITIVE_INFINITY ? PERIOD_MS : FORGET_MS;
    if (elapsed >= longest) this.#begin(now, Number.POSITIVE_INFINITY);
  }

  #begin(now: number, base: number): void {
    this.#base = base;
    this.#since = now;
    this.#accepted = 0;
    this.#refused = 0;
  }
}
