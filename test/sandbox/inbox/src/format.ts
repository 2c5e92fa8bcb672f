const DAY_AND_TIME: Intl.DateTimeFormatOptions = {
  ...{ month: 'short', day: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
};
const SHORT = new Intl.DateTimeFormat(undefined, DAY_AND_TIME);
const SHORT_WITH_YEAR = new Intl.DateTimeFormat(undefined, { ...DAY_AND_TIME, year: 'numeric' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' });
const COUNT = new Intl.NumberFormat();

/** A time in a list: day and time, and the year where it is not this one. */
export function shortTime(timestamp: string): string {
  const date = new Date(timestamp);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return (isThisYear ? SHORT : SHORT_WITH_YEAR).format(date);
}

/** A time in full. */
export function fullTime(timestamp: string): string {
  return FULL.format(new Date(timestamp));
}

/** A number with separators. */
export function count(number: number): string {
  return COUNT.format(number);
}

/** A JSON value as people read it; nothing for null. */
export function pretty(value: unknown): string {
  if (value === null || value === undefined) return '(empty)';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
