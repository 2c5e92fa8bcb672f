/** Path and query of a request. */
export interface Target {
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
}

const NO_QUERY: Readonly<Record<string, unknown>> = {};

/** Reads the target of a request line; a parameter that is given twice becomes a list. */
export function readTarget(url: string): Target {
  const start = url.indexOf('?');
  if (start === -1) return { path: url, query: NO_QUERY };
  const parameters = new URLSearchParams(url.slice(start + 1));
  // Built from entries, so that a parameter named __proto__ is one like any other.
  const query = Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  return { path: url.slice(0, start), query };
}
