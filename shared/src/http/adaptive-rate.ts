/** The rate grows quickly up to this share of the accepted rate; a cut is at least as large. */
const HEADROOM = 1.1;
/** Time of growing that far, in milliseconds; the rate is cut at most once in that time. */
const PERIOD_MS = 1_000;
/** After so long without a cut the limit is forgotten, in milliseconds. */
const FORGET_MS = 10_000;
/** While there is no limit: fewer refusals in a period may be chance. */
const FEWEST_REFUSALS = 5;
/** Shortest time from which a rate is measured, in milliseconds: what comes all at once tells little. */
const SHORTEST_MEASURE_MS = 100;
/** Slowest rate, in requests per second. */
const SLOWEST = 0.5;

/**
 * The rate that a service accepts, learned from its 429 responses. It follows the curve of TCP CUBIC (RFC 9438), as the
 * AWS SDKs do. All figures are shares of the accepted rate, so that it fits a limit of any size.
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

  /** Tells that the service responded 429. */
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
