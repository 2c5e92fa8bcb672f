import { SandboxError } from '../sandbox-error.js';

export interface Target {
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
}

const NO_QUERY: Readonly<Record<string, unknown>> = {};

/** Reads the target of a request line below a prefix; a parameter that is given twice becomes a list. @throws SandboxError 404 */
export function readTarget(url: string, prefix: string): Target {
  const start = url.indexOf('?');
  if (start === -1) return { path: belowPrefix(url, prefix), query: NO_QUERY };
  const parameters = new URLSearchParams(url.slice(start + 1));
  // Built from entries, so that a parameter named __proto__ is one like any other.
  const query = Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  return { path: belowPrefix(url.slice(0, start), prefix), query };
}

function belowPrefix(path: string, prefix: string): string {
  if (path === prefix) return '/';
  if (path.startsWith(`${prefix}/`)) return path.slice(prefix.length);
  throw new SandboxError({ code: 'outside_prefix', path, prefix }, 404);
}
