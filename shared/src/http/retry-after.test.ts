import fc from 'fast-check';
import { retryAfterOf } from './retry-after.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const waitOf = (text: string) => retryAfterOf({ status: 429, headers: { 'retry-after': text } }, NOW);

test.each([
  ['0', 0],
  [' 120 ', 120_000],
  ['1.5', 1_500],
  ['0.0001', 1],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
])('reads %j as %d ms', (text, expected) => {
  expect(waitOf(text)).toBe(expected);
});

test.each([
  ...', ,-1,1e3,soon,1 2,+5,0x10,Thu,Jan 2026,12:00:00,NaN,1.,.5,a1,1a'.split(','),
  ...['Xyz, 99 Foo 2026 00:00:30 GMT', '5 Thu, 01 Jan 2026 00:00:30 GMT'],
  ...['Thu, 01 Jan 2026 0:00:30 GMT', 'Thu, 01 Jan 2026 00:00:3 GMT'],
])('ignores %j', (text) => {
  expect(waitOf(text)).toBeUndefined();
});

test('any text gives no wait, or a whole number of milliseconds', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[ 0-9.A-Za-z:,+-]*$/)), (text) => {
      const wait = waitOf(text) ?? 0;
      expect(Number.isSafeInteger(wait) && wait >= 0).toBe(true);
    }),
  );
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
  [200, { 'retry-after': '3' }, undefined],
])('status %i with %j', (status, headers, wait) => {
  expect(retryAfterOf({ status, headers }, 0)).toBe(wait);
});
