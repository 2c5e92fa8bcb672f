import fc from 'fast-check';
import { isTransient, mayHaveArrived, retryDelay, shouldRetry, type Attempt } from './outcome.js';
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
  ...[200, 301, 400, 407, 409, 428, 430, 499].map((status): [string, Attempt, string, boolean] => [
    String(status),
    answered(status),
    '',
    false,
  ]),
  ...[408, 500, 503, 599].map((status): [string, Attempt, string, boolean] => [
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
  test('is never shorter than Retry-After', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), random, fc.nat(100_000), (count, chance, retryAfter) => {
        expect(retryDelay(count, chance, retryAfter)).toBeGreaterThanOrEqual(retryAfter);
      }),
    );
  });

  test('has a bound that doubles with each failure, up to a cap', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 7, 50].map((count) => retryDelay(count, 1));
    expect(bounds).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  test('uses the whole range (full jitter)', () => {
    expect([retryDelay(3, 0), retryDelay(3, 0.25)]).toEqual([0, 250]);
  });
});
