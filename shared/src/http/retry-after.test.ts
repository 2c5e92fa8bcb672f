import fc from 'fast-check';
import { parseRetryAfter, retryAfterOf } from './retry-after.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('parseRetryAfter', () => {
  test.each([
    ['0', 0],
    ['1', 1_000],
    [' 120 ', 120_000],
    ['1.5', 1_500],
    ['0.0001', 1],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
    ['Thu Jan  1 00:00:30 2026', 30_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['Thu, 01 Jan 2026 01:00:30 +0100', 30_000],
    ['Thu, 01 Jan 2026 00:00:30 gmt', 30_000],
  ])('reads %j as %d ms', (text, expected) => {
    expect(parseRetryAfter(text, NOW)).toBe(expected);
  });

  test.each([
    ...', ,-1,1e3,soon,1 2,+5,0x10,Thu,Jan 2026,12:00:00,NaN,1.,.5,a1,1a'.split(','),
    ...['Xyz, 99 Foo 2026 00:00:30 GMT', '5 Thu, 01 Jan 2026 00:00:30 GMT'],
    ...['Thu, 01 Jan 2026 0:00:30 GMT', 'Thu, 01 Jan 2026 00:00:3 GMT'],
  ])('ignores %j', (text) => {
    expect(parseRetryAfter(text, NOW)).toBeUndefined();
  });

  test('an absent header means no wait', () => {
    expect(parseRetryAfter(undefined, NOW)).toBeUndefined();
  });

  test('any text gives no wait, or a whole number of milliseconds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[ 0-9.A-Za-z:,+-]*$/)), (text) => {
        const wait = parseRetryAfter(text, NOW);
        if (wait === undefined) return;
        expect(Number.isSafeInteger(wait)).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2_000 },
    );
  });

  test('no wait is shorter than the given seconds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (seconds) => {
        const text = seconds.toFixed(4);
        const wait = parseRetryAfter(text, NOW);
        expect(wait).toBeGreaterThanOrEqual(Number(text) * 1000);
      }),
    );
  });

  test('a huge number of seconds is a very long wait', () => {
    expect(parseRetryAfter('9'.repeat(400), NOW)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('the wait ends at the second of any HTTP date', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (seconds) => {
        const date = new Date(NOW + seconds * 1000).toUTCString();
        expect(parseRetryAfter(date, NOW)).toBe(seconds * 1000);
      }),
    );
  });
});

test.each<[number, Record<string, string>, number | undefined]>([
  [429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:02 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 2_000],
  [429, { 'ratelimit-reset': '3' }, 3_000],
  [503, { 'x-ratelimit-reset': '0.5' }, 500],
  [429, { 'x-ratelimit-reset': '1767225605', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 5_000],
  [429, { 'x-ratelimit-reset': '1767225605', date: 'Thu, 01 Jan 2026 00:01:00 GMT' }, 0],
  [429, { 'x-ratelimit-reset': '1767225605000', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 5_000],
  [429, { 'x-ratelimit-reset': '1767225605000', date: 'Thu, 01 Jan 2026 00:01:00 GMT' }, 0],
  [429, { 'ratelimit-reset': '3', 'retry-after': '1' }, 1_000],
  [429, { 'ratelimit-reset': 'soon' }, undefined],
  [500, { 'ratelimit-reset': '3' }, undefined],
  [200, { 'x-ratelimit-reset': '3' }, undefined],
])('status %i with %j', (status, headers, wait) => {
  expect(retryAfterOf({ status, headers }, 0)).toBe(wait);
});
