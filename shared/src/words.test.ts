import { counted, didYouMean, fill, listed, quoted, sentence, shortened } from './words.js';

const names = Array.from({ length: 14 }, (_, index) => `n${index}`);

test.each([
  ["'{name}' is unknown.", { name: 'emial' }, "'emial' is unknown."],
  ['{name} and {other}', { name: 'a' }, 'a and {other}'],
  ['The sheets are {names!}.', { names: ['A', 'B'] }, "The sheets are 'A', 'B'."],
  ['The sheets are {names!}.', { names: [] }, 'The sheets are none.'],
  ['Use {names}.', { names: ['a', 'b'] }, 'Use a, b.'],
  ['{count:row} {count?is/are} new.', { count: 1 }, '1 row is new.'],
  ['{count:row} {count?is/are} new.', { count: 3_000 }, '3,000 rows are new.'],
  ['Port {port}', { port: 4_010 }, 'Port 4010'],
  ['Write {{ name }} or { a: 1 } of {name}', { name: '{name}' }, 'Write {{ name }} or { a: 1 } of {name}'],
])('%s', (text, facts, filled) => expect(fill(text, facts)).toBe(filled));

test('facts can be worded by the catalogue', () => {
  expect(fill('{count} new', { count: 3_000 }, (fact) => Number(fact).toLocaleString('en'))).toBe(
    '3,000 new',
  );
});

test('lists, quotes, counts and sentences', () => {
  expect(listed(names)).toBe(`${names.slice(0, 12).join(', ')} and 2 more`);
  expect(listed(['a', 'b', 'c'], quoted, 2)).toBe("'a', 'b' and 1 more");
  expect(quoted('email')).toBe("'email'");
  expect(shortened('x'.repeat(81))).toBe(`${'x'.repeat(80)}…`);
  expect(shortened('four', 3)).toBe('fou…');
  expect([counted(0, 'row'), counted(1, 'row')]).toEqual(['0 rows', '1 row']);
  expect(['a', 'a.', 'copy:'].map(sentence)).toEqual(['a.', 'a.', 'copy:']);
  expect([didYouMean('email'), didYouMean(undefined)]).toEqual([" (did you mean 'email'?)", '']);
});
