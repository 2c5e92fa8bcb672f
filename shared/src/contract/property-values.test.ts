import fc from 'fast-check';
import { PROPERTY_TYPES, type PropertyType } from '../types.js';
import {
  decodeValue,
  encodeUntypedValue,
  encodeValue,
  parseValue,
  propertyValueProblem,
  type EncodedValue,
} from './property-values.js';
import type { ProblemDetails } from '../messages/problems.js';

const DAY = '2026-01-31T00:00:00Z';
const seconds = (iso: string) => Date.parse(iso) / 1000;
const shown = (encoded: EncodedValue) => (encoded.ok ? encoded.value : coded(encoded.problem));
const coded = ({ code, expected, given, wayOut }: ProblemDetails) =>
  [code, expected, given, wayOut].filter((part) => part !== undefined).join(' ');
/** As n8n's expressions give a point in time. */
const luxon = (iso: string) => ({ isLuxonDateTime: true, valueOf: () => Date.parse(iso) });

describe('values that users write', () => {
  test.each<[PropertyType, unknown, unknown]>([
    ['string', 'text', 'text'],
    ['string', ' kept ', ' kept '],
    ['string', '', ''],
    ['string', 42, '42'],
    ['string', true, 'true'],
    ['string', new Date(DAY), '2026-01-31T00:00:00.000Z'],
    ['string', luxon(DAY), '2026-01-31T00:00:00.000Z'],
    ['string', ['a'], 'wrongType string list'],
    ['number', '9007199254740991', 9_007_199_254_740_991],
    ['number', '12345678901234567890', 'roundedNumber'],
    ['string', null, 'wrongType string null'],
    ['number', '42', 42],
    ['number', ' -3.5 ', -3.5],
    ['number', '.5', 0.5],
    ['number', '1e3', 1000],
    ['number', '0x10', 'wrongType writtenNumber string'],
    ['number', '1,5', 'wrongType writtenNumber string'],
    ['number', '1e999', 'wrongType writtenNumber string'],
    ['number', '', 'wrongType writtenNumber string'],
    ['number', true, 'wrongType writtenNumber boolean'],
    ['number', Number.NaN, 'wrongType writtenNumber notFinite'],
    ['boolean', true, true],
    ['boolean', 'TRUE', true],
    ['boolean', ' false ', false],
    ['boolean', '1', true],
    ['boolean', 1, true],
    ['boolean', 0, false],
    ['boolean', '0', false],
    ['boolean', '', 'wrongType boolean string'],
    ['number', 2 ** 53, 'roundedNumber'],
    ['string', 2 ** 53, 'roundedNumber'],
    ['string', 2 ** 53 - 1, '9007199254740991'],
    ['boolean', 2, 'wrongType boolean int'],
    ['date', new Date(DAY), seconds(DAY)],
    ['date', new Date(1_999_999_999), 1_999_999],
    ['date', new Date(-1), -1],
    ['date', luxon(DAY), seconds(DAY)],
    ['date', seconds(DAY), seconds(DAY)],
    ['date', String(seconds(DAY)), seconds(DAY)],
    ['date', '-86400', -86400],
    ['date', '2026-01-31', seconds(DAY)],
    ['date', ' 2026-01-31 ', seconds(DAY)],
    ['date', '2026-01-31 09:30 UTC', seconds('2026-01-31T09:30:00Z')],
    ['date', '2026-01-31 UTC', 'wrongType writtenDate string'],
    ['date', '2026-01-31T09:30', seconds('2026-01-31T09:30:00Z')],
    ['date', '2026-01-31 09:30:00', seconds('2026-01-31T09:30:00Z')],
    ['date', '2026-01-31T09:30:00.999z', seconds('2026-01-31T09:30:00Z')],
    ['date', '2026-01-31T09:30:00+02:00', seconds('2026-01-31T07:30:00Z')],
    ['date', '2026-01-31T09:30:00-0530', seconds('2026-01-31T15:00:00Z')],
    ['date', '2026-01-31 09:30:00 UTC', seconds('2026-01-31T09:30:00Z')],
    ['date', '2026-01-31 09:30:00.123456-05', seconds('2026-01-31T14:30:00Z')],
    ['date', '2026-01-31 09:30:00 +0200', seconds('2026-01-31T07:30:00Z')],
    ['date', '2026-01-31 09:30:00 PST', 'wrongType writtenDate string'],
    ['date', '2024-02-29', seconds('2024-02-29T00:00:00Z')],
    ['date', '2026-02-30', 'wrongType writtenDate string'],
    ['date', '2026-13-01', 'wrongType writtenDate string'],
    ['date', '2026-01-31T25:00:00Z', 'wrongType writtenDate string'],
    ['date', '31.01.2026', 'wrongType writtenDate string'],
    ['date', '', 'wrongType writtenDate string'],
    ['date', true, 'wrongType writtenDate boolean'],
    ['date', 1.5, 'dayNumber'],
    ['date', new Date(Number.NaN), 'wrongType writtenDate invalidDate'],
    ['date', luxon('never'), 'wrongType writtenDate invalidDate'],
    ['date', 46418, 'dayNumber'],
    ['date', '46418', 'dayNumber'],
    ['date', '20270131', 'dayNumber'],
    ['date', '1790000000000', 'milliseconds'],
    ['date', 99_999, 'dayNumber'],
    ['date', 100_000, 100_000],
    ['date', 0, 'dayNumber'],
    ['date', -1, -1],
    ['date', 20270131, 'dayNumber'],
    ['date', '20271331', 20271331],
    ['date', 120270131, 120270131],
    ['date', 202701310, 202701310],
    ['date', 1_790_000_000_000, 'milliseconds'],
    ['date', new Date(1_790_000_000_000_000), 'milliseconds'],
  ])('%s %p', (type, written, wire) => {
    expect(shown(parseValue(type, written))).toBe(wire);
  });

  test('dates of four centuries are read correctly in every format', () => {
    const first = Date.UTC(1800, 0, 1) / 1000;
    const last = Date.UTC(2200, 0, 1) / 1000;
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (second) => {
        const date = new Date(second * 1000);
        for (const form of [date, date.toISOString(), date.toISOString().replace('T', ' ').slice(0, 19)]) {
          expect(parseValue('date', form)).toEqual({ ok: true, value: second });
        }
        expect(decodeValue('date', second)).toEqual(date);
      }),
    );
  });

  test('a value that is not whole seconds is read unchanged', () => {
    for (const value of [1_790_000_000_000, 1.5, 'tomorrow', null])
      expect(decodeValue('date', value)).toBe(value);
    expect(decodeValue('number', 5)).toBe(5);
  });

  test('typed values give the same result as texts', () => {
    const typed = fc.oneof(
      fc.tuple(fc.constant('string' as const), fc.string()),
      fc.tuple(
        fc.constant('number' as const),
        fc.double({ noNaN: true, max: 2 ** 53 - 1, min: 1 - 2 ** 53 }),
      ),
      fc.tuple(fc.constant('boolean' as const), fc.boolean()),
      fc.tuple(fc.constant('date' as const), fc.date({ noInvalidDate: true, max: new Date('9999-12-31') })),
    );
    fc.assert(
      fc.property(typed, ([type, value]) => {
        expect(parseValue(type, value)).toEqual(encodeValue(type, value));
      }),
    );
  });
});

describe('values without a declared type', () => {
  test.each<[unknown, unknown]>([
    ['2026-01-31', '2026-01-31'],
    [4, 4],
    [false, false],
    [new Date(DAY), seconds(DAY)],
    [luxon(DAY), seconds(DAY)],
    [{ a: 1 }, 'wrongType anyValue object'],
    [[1], 'wrongType anyValue list'],
    [Number.POSITIVE_INFINITY, 'wrongType anyValue notFinite'],
    [undefined, 'wrongType anyValue undefined'],
  ])('%p', (value, wire) => {
    expect(shown(encodeUntypedValue(value))).toBe(wire);
  });
});

describe('propertyValueProblem', () => {
  test('null clears a property of any type', () => {
    for (const type of PROPERTY_TYPES) expect(propertyValueProblem(type, null)).toBeUndefined();
  });

  test('a number has to be finite', () => {
    expect(propertyValueProblem('number', Number.POSITIVE_INFINITY)?.given).toBe('notFinite');
  });

  test('the last second before the bound is allowed, the next is not', () => {
    expect(propertyValueProblem('date', 253_402_300_799)).toBeUndefined();
    expect(propertyValueProblem('date', -253_402_300_799)).toBeUndefined();
    expect(propertyValueProblem('date', 253_402_300_800)).toMatchObject({ code: 'milliseconds' });
    const decimal = { code: 'wrongType', expected: 'date', given: 'decimal' };
    expect(propertyValueProblem('date', 1.5)).toEqual(decimal);
  });
});
