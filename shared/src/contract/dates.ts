/**
 * Unix time of a date in whole seconds, the form in which the service takes and gives dates (interface: Data
 * types for custom property values). Milliseconds are dropped towards the past.
 *
 * @throws RangeError for a date that is not a point in time.
 */
export function toUnixSeconds(date: Date): number {
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds)) throw new RangeError('The date is not a valid point in time.');
  return Math.floor(milliseconds / 1000);
}

/** The point in time of a Unix time in seconds. */
export function fromUnixSeconds(seconds: number): Date {
  return new Date(seconds * 1000);
}
