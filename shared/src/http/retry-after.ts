/**
 * Reads a `Retry-After` header: whole seconds, or an HTTP date (RFC 9110, 10.2.3). Answers with the wait in
 * milliseconds, rounded up so that it is never too short, or `undefined` for a text that is neither.
 *
 * @param now wall-clock time in milliseconds, to which a date is compared.
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) {
    const milliseconds = Math.ceil(Number(trimmed) * 1000);
    return Number.isSafeInteger(milliseconds) ? milliseconds : Number.MAX_SAFE_INTEGER;
  }
  // Date.parse alone takes nearly anything ("-1" is the year 2001 to it), so a date must look like one.
  if (!/^[A-Za-z]{3,9},? /.test(trimmed) || !/\d{2}:\d{2}:\d{2}/.test(trimmed)) return undefined;
  const date = Date.parse(withZone(trimmed));
  if (Number.isNaN(date)) return undefined;
  return Math.max(0, date - now);
}

/** The old asctime form names no zone, and is UTC. */
function withZone(date: string): string {
  return /(GMT|UTC|[+-]\d{4})$/i.test(date) ? date : `${date} GMT`;
}
