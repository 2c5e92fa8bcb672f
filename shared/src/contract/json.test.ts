import { readWith } from '../issues.js';
import { parseJsonText } from './json.js';
import { sendTransactionalEmailBodySchema } from './endpoints.js';

test.each(['', '{"a":1', '{a:1}'])('%j is not JSON', (text) => {
  expect(parseJsonText(text)).toBeUndefined();
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
