const DAY_AND_TIME: Intl.DateTimeFormatOptions = {
  ...{ month: 'short', day: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
};
const SHORT = new Intl.DateTimeFormat(undefined, DAY_AND_TIME);
const SHORT_WITH_YEAR = new Intl.DateTimeFormat(undefined, { ...DAY_AND_TIME, year: 'numeric' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { style: 'short', numeric: 'auto' });
const COUNT = new Intl.NumberFormat();

/** A time in a list: day and time, and the year where it is not this one. */
export function shortTime(timestamp: string): string {
  const date = new Date(timestamp);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return (isThisYear ? SHORT : SHORT_WITH_YEAR).format(date);
}

/** The sandbox's clock, as the page knows it. */
export const clock = { now: () => Date.now() };

/** Longest time ago, in seconds, that is given in a unit; and the seconds of one. */
const UNITS = [
  ['second', 45, Infinity],
  ['minute', 3600, 60],
  ['hour', 24 * 3600, 3600],
  ['day', 7 * 24 * 3600, 24 * 3600],
] as const;

/** How long ago a time was, by the sandbox's clock; the day where it was a week or more, or is still to come. */
export function timeAgo(timestamp: string): string {
  const seconds = (clock.now() - Date.parse(timestamp)) / 1000;
  const unit = UNITS.find(([, most]) => seconds < most);
  if (unit === undefined || seconds < -5) return shortTime(timestamp);
  return RELATIVE.format(-Math.floor(Math.max(0, seconds) / unit[2]), unit[0]);
}

/** A time in full. */
export function fullTime(timestamp: string): string {
  return FULL.format(new Date(timestamp));
}

/** A number with separators. */
export function count(number: number): string {
  return COUNT.format(number);
}

/** A JSON value for display. */
export function pretty(value: unknown): string {
  if (value === null || value === undefined) return '(empty)';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
