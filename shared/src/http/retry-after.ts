import type { TransportResponse } from './transport.js';

/** The wait in `Retry-After`, in milliseconds. A date is compared with the response's `Date`, or else with `now`. */
export function retryAfterOf(
  { headers }: Pick<TransportResponse, 'headers'>,
  now: number,
): number | undefined {
  return parseRetryAfter(headers['retry-after'], httpDate(headers['date'] ?? '') ?? now);
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
