/** Headers that are read as a field without a question, in the form of {@link bare}. */
export const CERTAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({ email: 'email', emailaddress: 'email', firstname: 'firstName', lastname: 'lastName' }),
);

/** A header without case, blanks, `-` and `_`, which is how headers are compared. */
export function bare(header: string): string {
  return header
    .normalize()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');
}

/** What the program says of headers: found as a header is written, else without case, blanks, `-` and `_`. */
export class ByHeader<Value> {
  readonly entries: readonly (readonly [header: string, value: Value])[];
  private readonly byText: ReadonlyMap<string, Value>;

  constructor(given: readonly (readonly [header: string, value: Value])[]) {
    this.entries = given.map(([header, value]) => [header.trim(), value]);
    const byBare = this.entries.map(([header, value]) => [bare(header), value] as const);
    this.byText = new Map([...byBare, ...this.entries]);
  }

  find(header: string): Value | undefined {
    return this.byText.get(header) ?? this.byText.get(bare(header));
  }
}

/** Whether a column is read: languages without `null` in a map write an empty text. */
export function isMapped(field: string | null | undefined): field is string {
  return field !== null && field !== undefined && field !== '';
}
