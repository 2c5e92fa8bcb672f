/** Decides about a request at a time in milliseconds. */
export type Takes = (now: number) => boolean;

/** A bucket of tokens, full at first. */
export function bucket(perSecond: number, burst: number): Takes {
  let [tokens, filledAt] = [burst, 0];
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1_000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** So many in each second of the clock, or in each of other periods. */
export function fixedWindow(most: number, periodMs = 1_000): Takes {
  let [period, used] = [0, 0];
  return (now) => {
    if (Math.floor(now / periodMs) !== period) used = 0;
    period = Math.floor(now / periodMs);
    used += 1;
    return used <= most;
  };
}
