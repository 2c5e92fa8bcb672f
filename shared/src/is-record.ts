/** Objects that have no fields of their own names, also those of another realm. */
const NO_RECORDS: readonly string[] = ['Array', 'Date', 'Map', 'Set'].map((name) => `[object ${name}]`);

/** Whether a value is an object with named fields: no list, no `Date`, no `Map`, and not `null`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !NO_RECORDS.includes(Object.prototype.toString.call(value))
  );
}

/** The class of an object that is no plain data, such as `Promise`: JSON would make `{}` or a text of it. */
export function foreignClass(value: unknown): string | undefined {
  if (typeof value === 'function') return 'Function';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (tag !== 'Object') return tag;
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.constructor.name : undefined;
}

/** The fields of an object; none of any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** JSON text with sorted fields, for hashes and comparisons: equal content gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
