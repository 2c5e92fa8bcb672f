/** Objects that have no fields of their own names, also those of another realm. */
const NO_RECORDS: readonly string[] = ['Array', 'Date', 'Map', 'Set'].map((name) => `[object ${name}]`);

/** Whether a value is an object with named fields: no list, no `Date`, no `Map`, and not `null`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !NO_RECORDS.includes(Object.prototype.toString.call(value))
  );
}
