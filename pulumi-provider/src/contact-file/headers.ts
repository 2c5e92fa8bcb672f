/** A header without case, blanks, `-` and `_`, which is how headers are compared. */
export function bare(header: string): string {
  return header
    .normalize()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');
}

/** What the program says of headers, by the bare header. */
export function byHeader<Value>(given: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(given).map(([header, value]) => [bare(header), value]));
}

/** The names that are equal to another one in the form in which they are compared. */
export function equalNames(names: readonly string[], form: (name: string) => string): readonly string[] {
  const groups = Map.groupBy(names, form).values();
  return [...groups].filter(({ length }) => length > 1).flat();
}
