import { ValidationError } from '../errors.js';

/** Headers that the client sets by itself, or that the connection is made of. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Checks further headers of a call, and gives them lower-case names.
 *
 * @throws ValidationError for a header that the client sets by itself, and for what cannot be in a header.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const issues = Object.entries(headers).flatMap(([name, value]) => {
    const message = headerProblem(name.toLowerCase(), value);
    return message === undefined ? [] : [{ path: ['headers', name], message }];
  });
  if (issues.length > 0) throw new ValidationError('The headers cannot be sent', issues);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function headerProblem(name: string, value: unknown): string | undefined {
  if (OWN_HEADERS.has(name)) return 'is set by the client itself';
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return 'is no name of a header';
  if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value)) return 'must be printable ASCII text';
  return undefined;
}
