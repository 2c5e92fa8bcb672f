const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' });
const COUNT = new Intl.NumberFormat();

/** A time in a list: of the day for today, the day for others. */
export function shortTime(timestamp: string): string {
  const date = new Date(timestamp);
  return date.toDateString() === new Date().toDateString() ? TIME.format(date) : DAY.format(date);
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
