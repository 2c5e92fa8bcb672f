import { tryToParseDateTime } from 'n8n-workflow';

/** Whether a value is a date object: JavaScript's own, or one of luxon, as n8n's expressions give it. */
export function isDate(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return 'isLuxonDateTime' in value || Object.prototype.toString.call(value) === '[object Date]';
}

/** What an object is that JSON does not have, such as a duration; `undefined` for one of names and values. */
export function otherThanJson(value: object): string | undefined {
  if ('isLuxonDuration' in value) return 'a duration';
  if ('isLuxonInterval' in value) return 'a time interval';
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  return tag === 'Object' ? undefined : `an object of type ${tag}`;
}

/** A date with a time and without a zone, as n8n's date picker and spreadsheets write it. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/i;

/** A time without a zone as that moment in `zone`, such as `America/New_York`; any other value as it is. */
export function inZone(value: unknown, zone: string): unknown {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!LOCAL_TIME.test(text)) return value;
  try {
    return tryToParseDateTime(text.replace(' ', 'T'), zone).toJSDate();
  } catch {
    return value;
  }
}
