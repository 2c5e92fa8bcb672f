import { AdaptiveRate } from './adaptive-rate.js';

const PERIOD_MS = 1_000;

/** A period of responses, evenly spread. */
function period(rate: AdaptiveRate, from: number, accepted: number, refused: number): void {
  const all = accepted + refused;
  for (let response = 0; response < all; response += 1) {
    const now = from + (response * PERIOD_MS) / all;
    const isRefused = Math.floor(((response + 1) * refused) / all) > Math.floor((response * refused) / all);
    if (isRefused) rate.limited(now);
    else rate.accepted(now);
  }
}

test('begins after five refusals in a second, if more than one in eleven was refused', () => {
  const rate = new AdaptiveRate();
  period(rate, 0, 0, 4);
  expect(rate.at(1_000)).toBe(Number.POSITIVE_INFINITY);
  period(rate, 1_000, 95, 5);
  expect(rate.at(2_000)).toBe(Number.POSITIVE_INFINITY);
  period(rate, 2_000, 50, 50);
  expect(rate.at(3_000)).toBeLessThan(500);
});

test('falls to the accepted rate, recovers, and then grows faster and faster', () => {
  const rate = new AdaptiveRate();
  for (let now = 0; now < 400; now += 4) rate.accepted(now);
  for (let refusal = 0; refusal < 20; refusal += 1) rate.limited(400);
  const cutAt = 400;
  expect(rate.at(cutAt)).toBe(250);
  expect(rate.at(cutAt + 1_000)).toBeCloseTo(250 * 1.1);
  expect(rate.at(cutAt + 2_000)).toBeCloseTo(250 * 1.2);
  expect(rate.at(cutAt + 6_000)).toBeGreaterThan(3_000);
  expect(rate.at(cutAt + 9_999)).toBeLessThan(Number.POSITIVE_INFINITY);
  expect(rate.at(cutAt + 10_000)).toBe(Number.POSITIVE_INFINITY);
});

test('is cut by a refusal at most once in a period', () => {
  const rate = new AdaptiveRate();
  for (let now = 0; now < 400; now += 4) rate.accepted(now);
  for (let refusal = 0; refusal < 20; refusal += 1) rate.limited(400);
  for (let now = 400; now < 1_399; now += 10) rate.accepted(now);
  rate.limited(1_399);
  expect(rate.at(1_399)).toBeGreaterThan(250);
  rate.limited(1_400);
  expect(rate.at(1_400)).toBe(100);
});

test('never falls below one request in two seconds', () => {
  const rate = new AdaptiveRate();
  for (let now = 0; now < 60_000; now += 100) rate.limited(now);
  expect(rate.at(60_000)).toBeGreaterThanOrEqual(0.5);
  expect(rate.at(60_000)).toBeLessThan(1);
});

test('is not changed by a clock that is set back', () => {
  const rate = new AdaptiveRate();
  period(rate, 3_600_000, 50, 50);
  const before = rate.at(3_600_500);
  expect(rate.at(3_599_000)).toBeLessThanOrEqual(before);
  expect(rate.at(3_599_000)).toBeGreaterThan(0);
  expect(rate.at(0)).toBe(Number.POSITIVE_INFINITY);
});
