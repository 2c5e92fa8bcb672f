import { SandboxError } from '../sandbox-error.js';

export interface Routed {
  readonly method: string;
  readonly path: string;
}

/** Finds the endpoint that a method and path mean; of two paths that fit, the one with fewer parameters. */
export class Router<T extends Routed> {
  readonly #patterns: { segments: string[]; methods: Map<string, T> }[] = [];

  /** @param missing what is wrong where no path fits */
  constructor(
    endpoints: Iterable<T>,
    private readonly missing: 'no_endpoint' | 'no_control_path' = 'no_endpoint',
  ) {
    for (const endpoint of endpoints) this.#methodsAt(endpoint.path).set(endpoint.method, endpoint);
    this.#patterns.sort((a, b) => parameterCount(a.segments) - parameterCount(b.segments));
  }

  #methodsAt(path: string): Map<string, T> {
    const known = this.#patterns.find(({ segments }) => segments.join('/') === path);
    if (known !== undefined) return known.methods;
    const methods = new Map<string, T>();
    this.#patterns.push({ segments: path.split('/'), methods });
    return methods;
  }

  /** @throws SandboxError 404 when no path fits, 405 when the path has other methods, 400 when it is badly encoded. */
  route(method: string, path: string): { endpoint: T; params: Record<string, string> } {
    const segments = path.split('/');
    for (const pattern of this.#patterns) {
      if (!fits(pattern.segments, segments)) continue;
      return {
        endpoint: pick(pattern.methods, method, path),
        params: parameters(pattern.segments, segments),
      };
    }
    throw new SandboxError({ code: this.missing, path }, 404);
  }
}

function pick<T>(methods: ReadonlyMap<string, T>, method: string, path: string): T {
  const endpoint = methods.get(method);
  if (endpoint !== undefined) return endpoint;
  const allowed = [...methods.keys()].join(', ');
  throw new SandboxError({ code: 'method_not_allowed', path, method, allowed }, 405, { Allow: allowed });
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

function parameterCount(segments: readonly string[]): number {
  return segments.filter(isParameter).length;
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  );
}

function parameters(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  pattern.forEach((part, index) => {
    if (isParameter(part)) params[part.slice(1, -1)] = decode(segments[index] ?? '');
  });
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new SandboxError({ code: 'path_not_encoded', segment });
  }
}
