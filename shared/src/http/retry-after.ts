import type { TransportResponse } from './transport.js';

/** Larger numbers of a reset are Unix time, in seconds; even larger ones in milliseconds. */
const UNIX_SECONDS_FROM = 1e9;
const UNIX_MILLISECONDS_FROM = 1e12;

/**
 * How long an error response asks to wait, in milliseconds: `Retry-After`, else on 429 and 503 `RateLimit-Reset` or
 * `X-RateLimit-Reset`. A point in time is compared with the response's `Date`, or else with `now`.
 */
export function retryAfterOf(
  { status, headers }: Pick<TransportResponse, 'status' | 'headers'>,
  now: number,
): number | undefined {
  if (status < 400) return undefined;
  const servedAt = httpDate(headers['date'] ?? '') ?? now;
  const named = headers['retry-after'] ?? '';
  const date = httpDate(named);
  const asked = secondsOf(named) ?? (date === undefined ? undefined : Math.max(0, date - servedAt));
  if (asked !== undefined || (status !== 429 && status !== 503)) return asked;
  const text = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? '';
  const reset = secondsOf(text);
  if (reset === undefined || Number(text) <= UNIX_SECONDS_FROM) return reset;
  return Math.max(0, (Number(text) > UNIX_MILLISECONDS_FROM ? Number(text) : reset) - servedAt);
}

/** A number of seconds, in milliseconds. */
function secondsOf(text: string): number | undefined {
  if (!/^\d+(\.\d+)?$/.test(text.trim())) return undefined;
  return Math.min(Math.ceil(Number(text) * 1000), Number.MAX_SAFE_INTEGER);
}

/** An HTTP date in milliseconds. `Date.parse` alone reads nearly anything: "-1" is the year 2001 to it. */
function httpDate(text: string): number | undefined {
  const date = /^[A-Za-z]{3}, .*\d{2}:\d{2}:\d{2} GMT$/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
