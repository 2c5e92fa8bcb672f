import fc from 'fast-check';
import { FIRST_DELAY_MS, isTransient, LONGEST_DELAY_MS, retryDelay, shouldRetry } from './retry.js';
import { mayHaveArrived } from './outcome.js';
import type { Attempt } from './attempt.js';
import { TransportFailure } from './transport.js';

const answered = (status: number): Attempt => ({ response: { status, headers: {}, body: '' } });
const failed = (networkCode: string): Attempt => ({
  failure: new TransportFailure('network', { networkCode }),
});
const refused = failed('ECONNREFUSED');
const cutOff = failed('ECONNRESET');
const timedOut: Attempt = { failure: new TransportFailure('timeout') };

describe('shouldRetry', () => {
  test.each([408, 429, 500, 502, 503, 504, 599])('repeats an idempotent or keyed call after %d', (status) => {
    expect(shouldRetry('idempotent', [answered(status)])).toBe(true);
    expect(shouldRetry('keyed', [answered(status)])).toBe(true);
  });

  test.each([200, 204, 301, 400, 401, 403, 404, 407, 409, 410, 422, 428, 430, 499])(
    'repeats no call after %d',
    (status) => {
      for (const repeatability of ['idempotent', 'keyed', 'unsafe'] as const) {
        expect(shouldRetry(repeatability, [answered(status)])).toBe(false);
      }
    },
  );

  test('repeats idempotent and keyed calls after network faults and time-outs', () => {
    for (const outcome of [refused, cutOff, timedOut]) {
      expect(shouldRetry('idempotent', [outcome])).toBe(true);
      expect(shouldRetry('keyed', [outcome])).toBe(true);
    }
  });

  test('repeats an unsafe call only if the failed attempt certainly changed nothing', () => {
    expect(shouldRetry('unsafe', [refused])).toBe(true);
    expect(shouldRetry('unsafe', [answered(429)])).toBe(true);
    for (const outcome of [cutOff, timedOut, answered(408), answered(500), answered(503)]) {
      expect(shouldRetry('unsafe', [outcome])).toBe(false);
    }
  });
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
  expect(shouldRetry('keyed', [before, answered(409)])).toBe(isRetried);
  expect(shouldRetry('keyed', [before, answered(409), answered(409)])).toBe(isRetried);
  expect(shouldRetry('idempotent', [before, answered(409)])).toBe(false);
});

test('an untrusted certificate is not retried', () => {
  const untrusted = failed('DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(mayHaveArrived(untrusted)).toBe(false);
  for (const repeatability of ['idempotent', 'keyed', 'unsafe'] as const) {
    expect(shouldRetry(repeatability, [untrusted])).toBe(false);
  }
});

describe('mayHaveArrived', () => {
  test('a request that was refused, limited or never sent changed nothing', () => {
    for (const outcome of [
      refused,
      answered(429),
      answered(400),
      answered(407),
      answered(409),
      answered(499),
    ]) {
      expect(mayHaveArrived(outcome)).toBe(false);
    }
  });

  test('after a cut, a time-out, 408 or 5xx it is unclear', () => {
    for (const outcome of [cutOff, timedOut, answered(408), answered(500), answered(503)]) {
      expect(mayHaveArrived(outcome)).toBe(true);
    }
  });

  test('every request that may have arrived is transient', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
        if (mayHaveArrived(answered(status))) expect(isTransient(answered(status))).toBe(true);
      }),
    );
  });
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
