/** A header without case, blanks, `-` and `_`, which is how headers are compared. */
export function bare(header: string): string {
  return header
    .normalize()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');
}

/** What the program says of headers. */
export class ByHeader<Value> {
  readonly #byBare: ReadonlyMap<string, Value>;

  constructor(given: Readonly<Record<string, Value>>) {
    this.#byBare = new Map(Object.entries(given).map(([header, value]) => [bare(header), value]));
  }

  find(header: string): Value | undefined {
    return this.#byBare.get(bare(header));
  }
}

/** The headers that are compared as equal to another one. */
export function equalHeaders(headers: readonly string[]): readonly string[] {
  const groups = Map.groupBy(headers, bare).values();
  return [...groups].filter(({ length }) => length > 1).flat();
}
