/** Whether a value is an object with named fields: no list, no `Date`, no `Map`, and not `null`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]';
}
