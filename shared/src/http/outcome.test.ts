import fc from 'fast-check';
import {
  FIRST_DELAY_MS,
  isTransient,
  LONGEST_DELAY_MS,
  mayHaveArrived,
  retryDelay,
  shouldRetry,
  type Attempt,
} from './outcome.js';
import { TransportFailure } from './transport.js';

const answered = (status: number): Attempt => ({ response: { status, headers: {}, body: '' } });
const failed = (networkCode: string, neverSent = false): Attempt => ({
  failure: new TransportFailure('network', { networkCode, neverSent }),
});
const refused = failed('ECONNREFUSED', true);
const cutOff = failed('ECONNRESET');
const timedOut: Attempt = { failure: new TransportFailure('timeout') };

const KINDS = {
  idempotent: { method: 'PUT' },
  keyed: { method: 'POST', isKeyed: true },
  unsafe: { method: 'POST' },
} as const;

/** How a single attempt ends, after which kinds of calls a further one follows, and whether it may have arrived. */
test.each<[string, Attempt, string, boolean]>([
  ...[200, 204, 301, 400, 401, 403, 404, 407, 409, 410, 422, 428, 430, 499].map(
    (status): [string, Attempt, string, boolean] => [String(status), answered(status), '', false],
  ),
  ...[408, 500, 502, 503, 504, 599].map((status): [string, Attempt, string, boolean] => [
    String(status),
    answered(status),
    'idempotent keyed',
    true,
  ]),
  ['429', answered(429), 'idempotent keyed unsafe', false],
  ['a connection that was refused', refused, 'idempotent keyed unsafe', false],
  ['a cut', cutOff, 'idempotent keyed', true],
  ['a time-out', timedOut, 'idempotent keyed', true],
  ['an untrusted certificate', failed('DEPTH_ZERO_SELF_SIGNED_CERT'), '', false],
])('after %s', (_what, attempt, retried, arrived) => {
  const kinds = Object.entries(KINDS).filter(([, endpoint]) => shouldRetry(endpoint, [attempt]));
  expect(kinds.map(([kind]) => kind).join(' ')).toBe(retried);
  expect(mayHaveArrived(attempt)).toBe(arrived);
});

test('every request that may have arrived is transient', () => {
  for (let status = 100; status < 600; status += 1)
    if (mayHaveArrived(answered(status))) expect(isTransient(answered(status))).toBe(true);
});

test.each([
  ['a time-out', timedOut, true],
  ['a lost response', cutOff, true],
  ['408', answered(408), true],
  ['502', answered(502), true],
  ['504', answered(504), true],
  ['524', answered(524), true],
  ['500', answered(500), false],
  ['503', answered(503), false],
  ['429', answered(429), false],
  ['nothing that was sent', refused, false],
])('a 409 of a keyed call after %s', (_, before, isRetried) => {
  expect(shouldRetry(KINDS.keyed, [before, answered(409)])).toBe(isRetried);
  expect(shouldRetry(KINDS.keyed, [before, answered(409), answered(409)])).toBe(isRetried);
  expect(shouldRetry(KINDS.idempotent, [before, answered(409)])).toBe(false);
});

describe('retryDelay', () => {
  const failures = fc.integer({ min: 1, max: 200 });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test('stays within zero and the doubling bound', () => {
    fc.assert(
      fc.property(failures, random, (count, chance) => {
        const delay = retryDelay(count, chance);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - 1)));
      }),
    );
  });

  test('is never shorter than Retry-After', () => {
    fc.assert(
      fc.property(failures, random, fc.nat(100_000), (count, chance, retryAfter) => {
        expect(retryDelay(count, chance, retryAfter)).toBeGreaterThanOrEqual(retryAfter);
      }),
    );
  });

  test('has a bound that doubles with each failure, up to a cap', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 7, 50].map((count) => retryDelay(count, 1));
    expect(bounds).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  test('uses the whole range (full jitter)', () => {
    expect(retryDelay(3, 0)).toBe(0);
    expect(retryDelay(3, 0.25)).toBe(250);
  });
});
