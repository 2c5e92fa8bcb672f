import fc from 'fast-check';
import { readWith } from '../issues.js';
import { parseJsonText } from './json.js';
import { sendTransactionalEmailBodySchema } from './endpoints.js';

describe('JSON text', () => {
  test('has the same value as with JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        // A whole number beyond 2^53 would be one that may have been rounded.
        const isLong = (one: unknown) => Number.isInteger(one) && !Number.isSafeInteger(one);
        const text = JSON.stringify(value, (_, one: unknown) => (isLong(one) ? 0.5 : one), indent);
        const parsed: unknown = JSON.parse(text);
        expect(parseJsonText(text)).toStrictEqual({ value: parsed });
      }),
    );
  });

  test.each([
    ['[{"a":1},{"a":1,"b":9007199254740993}]', { code: 'roundedNumber', given: '9007199254740993' }],
    ['-12345678901234567890', { code: 'roundedNumber', given: '-12345678901234567890' }],
  ])('%s is reported as lossy', (text, lost) => {
    expect(parseJsonText(text).lost).toEqual(lost);
  });

  test.each(['{"a":"\\"a\\":9007199254740993","b":":"}', '[1e300, 0.1234567890123456789]'])(
    '%s is not reported as lossy',
    (text) => {
      const parsed: unknown = JSON.parse(text);
      expect(parseJsonText(text)).toStrictEqual({ value: parsed });
    },
  );

  test.each(['', '{"a":1', '{a:1}'])('%j is not JSON', (text) => {
    expect(parseJsonText(text)).toStrictEqual({ value: undefined });
  });
});

class Money {
  constructor(readonly cents: number) {}
  toJSON(): string {
    return `${this.cents} ct`;
  }
}

test.each<[unknown, string | undefined]>([
  [{ lines: [{ name: 'Tea', price: 4.5, gone: undefined }], note: null }, undefined],
  [{ name: 'Ada', gone: undefined }, undefined],
  [{ total: Number.NaN }, 'wrongType notFinite'],
  [{ at: new Date(0) }, 'wrongType Date'],
  [{ list: [undefined] }, 'wrongType undefined'],
  [{ order: [2 ** 53] }, 'roundedNumber'],
  [{ text: () => '' }, 'wrongType Function'],
  [{ lines: [Promise.resolve(1)] }, 'wrongType Promise'],
  [{ cause: new TypeError('a') }, 'wrongType Error'],
  [{ pattern: /a/ }, 'wrongType RegExp'],
  [{ seen: new Map() }, 'wrongType Map'],
  [{ price: new Money(5) }, 'wrongType Money'],
  [{ id: 1n }, 'wrongType other'],
])('variables and event properties: %p', (dataVariables, problem) => {
  const read = readWith(sendTransactionalEmailBodySchema, {
    email: 'a@b.c',
    transactionalId: 't',
    dataVariables,
  });
  const [issue] = read.ok ? [] : read.issues;
  expect(issue && [issue.code, issue.given].filter((part) => part !== undefined).join(' ')).toBe(problem);
});
