/** How often the answers are looked at, in milliseconds. */
const WINDOW_MS = 1_000;
/** So many refusals among so many last answers are no chance: the limit holds at once, not after the window. */
const BRAKE = { refusals: 5, answers: 10 };
/** Shortest time from which a rate is reckoned, in milliseconds: a first burst says little. */
const SHORTEST_MEASURE_MS = 100;
/** What is left of the accepted rate while it is tried whether going slower helps: a little, then a lot. */
const TRIALS = [0.9, 0.6];
/** A trial is judged when so many refusals came, or would have come if going slower did not help; or after a while. */
const TRIAL_REFUSALS = 4;
const TRIAL_WINDOWS = 5;
/** Refusals that no rate changes are borne up to this share; beyond it the service is not able to take more. */
const LARGEST_CHANCE = 0.2;
/** Where the rate settles below what the service was seen to take. */
const SETTLE = 0.97;
/** What is left at least, as a share of the rate, as long as the limit could not be measured. */
const LARGEST_CUT = 0.5;
/** First step up, as a share of the rate; each further one is twice as large. */
const FIRST_STEP = 0.01;
const LARGEST_STEP = 0.05;
/** The same while the limit is looked for. */
const FIRST_SEARCH_STEP = 0.25;
const LARGEST_SEARCH_STEP = 1;
/** Clean windows before a step up: the first number after a new limit, twice as many after each that failed. */
const FIRST_PATIENCE = 2;
const LONGEST_PATIENCE = 32;
/** Longest time for which all calls are held, in milliseconds; a call that is told to wait longer fails by itself. */
const LONGEST_HOLD_MS = 60_000;
/** Slowest adapted rate, in requests per second. */
const SLOWEST = 1;
/** After so long without a 429 the limit is forgotten, in milliseconds. */
const FORGET_MS = 60_000;
/** After so long without any answer a new window begins, in milliseconds: an idle client says nothing of a rate. */
const IDLE_MS = 2_000;
/** Fewer answers tell nothing, where the rate lets more through. */
const FEWEST_ANSWERS = 5;
/** So few refusals in a window may be all the callers there are: the time that they then wait says nothing. */
const FEW = 2;
/** A longer time without a response is no part of a measure, in milliseconds; or than two requests take at the rate. */
const LONGEST_GAP_MS = 250;
/** Longest time between two moments at which nothing is left, in milliseconds, that a rate is reckoned from. */
const LONGEST_MEASURE_MS = 5_000;

/**
 * The rate that a service can take, learned from its answers.
 *
 * It is infinite until the service answers 429. Then it is lowered for a moment. If that helps, there is a limit: the
 * rate settles just below what the service took, and is raised in small steps, ever more seldom as they fail. If it
 * does not help, the refusals have other reasons, and they are borne. When nothing is accepted at all any more, all
 * calls are held for as long as the service asked. A minute without a 429, and the limit is forgotten.
 */
export class AdaptiveRate {
  #rate = Number.POSITIVE_INFINITY;
  #heldUntil = 0;
  #retryAt = 0;
  #lastAnswerAt = Number.NEGATIVE_INFINITY;
  #lastLimitedAt = Number.NEGATIVE_INFINITY;
  /** The last answers, one bit each, 1 for a refusal. */
  #lastAnswers = 0;
  #answersKnown = 0;
  #windowStart = 0;
  #accepted = 0;
  #limited = 0;
  /** Requests per second that were accepted in the window before. */
  #acceptedRateBefore = 0;
  /** The part of the window in which there were answers, in milliseconds. */
  #busyMs = 0;
  /** Share of answers that are refused whatever the rate. */
  #chance = 0;
  /** A moment at which the service had nothing left to give, and what it accepted since. */
  #emptyAt = Number.NEGATIVE_INFINITY;
  #acceptedSince = 0;
  /**
   * Requests per second that the limit allows, as far as was seen; 0 while unknown. However much a limit lets through
   * at once: between two moments at which nothing is left, it lets through its rate and no more.
   */
  #capacity = 0;
  #trial: Trial | undefined;
  #step = FIRST_STEP;
  #patience = FIRST_PATIENCE;
  #cleanWindows = 0;

  /** Requests per second; infinite while no limit is known. */
  get rate(): number {
    return this.#rate;
  }

  /** Time until which no request should begin, in milliseconds since 1970. */
  get heldUntil(): number {
    return this.#heldUntil;
  }

  /** Tells that the service took a request. */
  accepted(now: number): void {
    this.#answered(now);
    this.#retryAt = 0;
    this.#accepted += 1;
    this.#acceptedSince += 1;
    this.#lastAnswers = (this.#lastAnswers << 1) & ANSWERS_MASK;
    this.#look(now, WINDOW_MS);
  }

  /** Tells that the service answered 429, and how long it asked to wait. */
  limited(now: number, retryAfterMs: number | undefined): void {
    this.#answered(now);
    this.#limited += 1;
    this.#lastLimitedAt = now;
    this.#retryAt = Math.max(this.#retryAt, now + Math.min(retryAfterMs ?? 0, LONGEST_HOLD_MS));
    this.#measure(now);
    this.#lastAnswers = ((this.#lastAnswers << 1) | 1) & ANSWERS_MASK;
    if (bitsOf(this.#lastAnswers) >= BRAKE.refusals) this.#brake(now);
    this.#look(now, WINDOW_MS);
  }

  #answered(now: number): void {
    if (now - this.#lastLimitedAt > FORGET_MS) this.#forget();
    if (now - this.#lastAnswerAt > IDLE_MS) {
      this.#windowStart = now;
      this.#accepted = 0;
      this.#limited = 0;
      this.#busyMs = 0;
    } else {
      this.#busyMs += Math.min(now - this.#lastAnswerAt, Math.max(LONGEST_GAP_MS, 2_000 / this.#rate));
    }
    this.#lastAnswerAt = now;
    this.#answersKnown = Math.min(BRAKE.answers, this.#answersKnown + 1);
  }

  #measure(now: number): void {
    const elapsed = now - this.#emptyAt;
    if (elapsed < WINDOW_MS) return;
    if (elapsed <= LONGEST_MEASURE_MS) {
      this.#capacity = Math.max(this.#capacity, (this.#acceptedSince * 1_000) / elapsed);
    }
    this.#emptyAt = now;
    this.#acceptedSince = 0;
  }

  #brake(now: number): void {
    const nothingElse = bitsOf(this.#lastAnswers) === this.#answersKnown;
    this.#lastAnswers = 0;
    this.#answersKnown = 0;
    if (this.#rate !== Number.POSITIVE_INFINITY) {
      if (this.#patience === 0 && this.#trial === undefined) this.#look(now, SHORTEST_MEASURE_MS);
    } else if (this.#accepted > 0) {
      this.#search((this.#accepted * 1_000) / Math.max(SHORTEST_MEASURE_MS, now - this.#windowStart));
    } else if (nothingElse) {
      this.#holdAll();
    } else {
      this.#search(this.#acceptedRateBefore);
    }
  }

  /** Adapts the rate when a window of so many milliseconds is over. */
  #look(now: number, window: number): void {
    const elapsed = now - this.#windowStart;
    if (elapsed < window) return;
    // When all callers wait after a refusal, nothing is learned meanwhile.
    const answers = this.#accepted + this.#limited;
    if (answers < Math.min(FEWEST_ANSWERS, (this.#rate * elapsed) / 2_000)) return;
    const measured = this.#limited <= FEW ? Math.max(SHORTEST_MEASURE_MS, this.#busyMs) : elapsed;
    const seen: Window = {
      accepted: this.#accepted,
      limited: this.#limited,
      acceptedRate: (this.#accepted * 1_000) / measured,
    };
    this.#windowStart = now;
    this.#acceptedRateBefore = seen.acceptedRate;
    this.#accepted = 0;
    this.#limited = 0;
    this.#busyMs = 0;
    if (seen.accepted === 0) this.#holdAll();
    else if (this.#trial !== undefined) this.#judge(this.#trial, seen);
    else if (seen.limited > this.#usual(seen)) this.#refused(seen);
    else this.#clean(seen);
  }

  #forget(): void {
    this.#rate = Number.POSITIVE_INFINITY;
    this.#chance = 0;
    this.#capacity = 0;
    this.#trial = undefined;
  }

  #holdAll(): void {
    this.#search(this.#rate === Number.POSITIVE_INFINITY ? SLOWEST : this.#rate / 2);
    this.#heldUntil = Math.max(this.#heldUntil, this.#retryAt);
  }

  /** Refusals that are to be expected without any limit. */
  #usual({ accepted, limited }: Window): number {
    const expected = this.#chance * (accepted + limited);
    return expected + 2 * Math.sqrt(expected);
  }

  #refused(seen: Window): void {
    const share = seen.limited / (seen.limited + seen.accepted);
    if (share > LARGEST_CHANCE && this.#rate <= this.#capacity) this.#capacity = 0;
    else this.#capacity = Math.min(this.#capacity, this.#rate * SETTLE);
    const took = Math.max(this.#capacity, Math.min(this.#rate * SETTLE, seen.acceptedRate));
    if (share > LARGEST_CHANCE) this.#settle(took);
    else this.#try({ number: 0, rateBefore: this.#rate, took, share, answers: 0, limited: 0, windows: 0 });
  }

  /** Goes on just below what the service took; from where the limit is not known yet, upwards. */
  #settle(took: number): void {
    // What was taken while most callers waited after a refusal is less than the service could have taken.
    const least =
      this.#capacity > 0 || this.#rate === Number.POSITIVE_INFINITY ? 0 : this.#rate * LARGEST_CUT;
    const rate = Math.max(took * SETTLE, least);
    if (this.#searching) {
      this.#search(rate);
      return;
    }
    const patience = Math.min(LONGEST_PATIENCE, 2 * this.#patience);
    this.#slowTo(rate);
    this.#patience = Math.max(FIRST_PATIENCE, patience);
  }

  #try(trial: Trial): void {
    this.#trial = trial;
    this.#rate = Math.max(SLOWEST, trial.took * (TRIALS[trial.number] ?? 1));
  }

  #judge(trial: Trial, { accepted, limited, acceptedRate }: Window): void {
    trial.answers += accepted + limited;
    trial.limited += limited;
    trial.windows += 1;
    const excess = trial.share - this.#chance;
    const refusals = Math.max(trial.limited, excess * trial.answers);
    if (refusals < TRIAL_REFUSALS && trial.windows < TRIAL_WINDOWS) return;
    this.#trial = undefined;
    const share = trial.limited / trial.answers;
    const took = Math.min(this.#rate, acceptedRate);
    if (share - this.#chance <= excess / 2) {
      this.#settle(Math.max(this.#capacity, trial.took));
    } else if (share > LARGEST_CHANCE) {
      this.#settle(Math.max(this.#capacity, took));
    } else if (trial.number + 1 < TRIALS.length) {
      this.#try({ ...trial, number: trial.number + 1, took, answers: 0, limited: 0, windows: 0 });
    } else {
      this.#chance = share;
      this.#rate = trial.rateBefore;
    }
  }

  #clean({ accepted, limited }: Window): void {
    this.#chance = 0.8 * this.#chance + 0.2 * (limited / (accepted + limited));
    if (this.#rate === Number.POSITIVE_INFINITY) return;
    this.#cleanWindows += 1;
    if (this.#cleanWindows < this.#patience) return;
    this.#rate *= 1 + this.#step;
    this.#step = Math.min(this.#patience === 0 ? LARGEST_SEARCH_STEP : LARGEST_STEP, 2 * this.#step);
  }

  /** Goes on from a rate that the service surely takes, and doubles it until it is too much. */
  #search(rate: number): void {
    this.#slowTo(rate);
    this.#step = FIRST_SEARCH_STEP;
    this.#patience = 0;
  }

  /** Whether the limit was run into, and nothing is known yet but that there is one. */
  get #searching(): boolean {
    return this.#patience === 0 && this.#cleanWindows === 0;
  }

  /** Takes a new limit as found: nothing is known yet of what lies above it. */
  #slowTo(rate: number): void {
    this.#rate = Math.max(SLOWEST, rate);
    this.#trial = undefined;
    this.#step = FIRST_STEP;
    this.#patience = FIRST_PATIENCE;
    this.#cleanWindows = 0;
  }
}

/** Answers of one window. */
interface Window {
  readonly accepted: number;
  readonly limited: number;
  /** Requests that were accepted, per second. */
  readonly acceptedRate: number;
}

/** Going slower on trial. */
interface Trial {
  readonly number: number;
  readonly rateBefore: number;
  /** What the service took before, in requests per second. */
  readonly took: number;
  /** Share of refusals before. */
  readonly share: number;
  /** Answers, and refusals among them, since. */
  answers: number;
  limited: number;
  windows: number;
}

const ANSWERS_MASK = 2 ** BRAKE.answers - 1;

function bitsOf(number: number): number {
  let bits = 0;
  for (let rest = number; rest > 0; rest &= rest - 1) bits += 1;
  return bits;
}
