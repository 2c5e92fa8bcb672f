import type { TransportResponse } from './transport.js';

/** Larger numbers of a reset are Unix time, in seconds. */
const UNIX_TIME_FROM = 1e9;

/**
 * How long the service asks to wait, in milliseconds: `Retry-After`, else on 429 and 503 `RateLimit-Reset` or
 * `X-RateLimit-Reset`. A point in time is compared with the response's `Date`, or else with `now`.
 */
export function retryAfterOf(
  { status, headers }: Pick<TransportResponse, 'status' | 'headers'>,
  now: number,
): number | undefined {
  const servedAt = httpDate(headers['date'] ?? '') ?? now;
  const asked = parseRetryAfter(headers['retry-after'], servedAt);
  if (asked !== undefined || (status !== 429 && status !== 503)) return asked;
  return resetOf(headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'], servedAt);
}

function resetOf(text: string | undefined, servedAt: number): number | undefined {
  const seconds = /^\d+(\.\d+)?$/.test(text?.trim() ?? '') ? Number(text) : undefined;
  if (seconds === undefined) return undefined;
  return Math.max(0, Math.ceil(seconds * 1000) - (seconds > UNIX_TIME_FROM ? servedAt : 0));
}

/** Reads a `Retry-After` (RFC 9110, 10.2.3): whole seconds or an HTTP date, as milliseconds from `now`. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) {
    const milliseconds = Math.ceil(Number(trimmed) * 1000);
    return Number.isSafeInteger(milliseconds) ? milliseconds : Number.MAX_SAFE_INTEGER;
  }
  const date = httpDate(trimmed);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** An HTTP date in milliseconds. `Date.parse` alone reads nearly anything: "-1" is the year 2001 to it. */
function httpDate(text: string): number | undefined {
  if (!/^[A-Za-z]{3,9},? /.test(text) || !/\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  // The old asctime form names no zone, and is UTC.
  const date = Date.parse(/(GMT|UTC|[+-]\d{4})$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : date;
}
