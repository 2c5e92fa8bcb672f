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

/** So many in each second of the clock. */
export function fixedWindow(perSecond: number): Takes {
  let [second, used] = [0, 0];
  return (now) => {
    if (Math.floor(now / 1_000) !== second) used = 0;
    second = Math.floor(now / 1_000);
    used += 1;
    return used <= perSecond;
  };
}
