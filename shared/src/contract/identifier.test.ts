import fc from 'fast-check';
import { readWith } from '../issues.js';
import { contactIdentifierSchema } from './common.js';

const problemOf = (identifier: unknown) => {
  const read = readWith(contactIdentifierSchema, identifier);
  return read.ok ? undefined : read.issues[0]?.code;
};

test.each(['.', '..', 'properties'])('%s is refused, and the error says what to do', (identifier) => {
  expect(problemOf(identifier)).toBe('otherMeaning');
});

test('empty text and broken Unicode are refused with a reason', () => {
  expect(problemOf('')).toBe('empty');
  expect(problemOf('\ud800')).toBe('notUnicode');
});

test('any other email or userId is accepted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (identifier) => {
      fc.pre(!['.', '..', 'properties'].includes(identifier) && identifier.isWellFormed());
      expect(problemOf(identifier)).toBeUndefined();
    }),
  );
  for (const close of ['...', '. ', 'Properties', 'properties ', '/'])
    expect(problemOf(close)).toBeUndefined();
});
