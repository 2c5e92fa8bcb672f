import { readWith } from './issues.js';
import { sendEventBodySchema } from './contract/events.js';
import { PROBLEM_CODES, wordProblem } from './messages.js';

test('the sentences of all problems of an input', () => {
  const facts = { expected: ['a', 'b'], given: 'given', wayOut: 'way out' };
  const sentences = PROBLEM_CODES.map((code) => `${code}: ${wordProblem({ code, ...facts })}`);
  expect(sentences.join('\n')).toMatchSnapshot();
});

test('a problem is data: code, path, what was expected and given', () => {
  const read = readWith(sendEventBodySchema, {
    eventName: '',
    userid: 'u',
    firstName: 1,
    email: 'a b',
  });
  expect(read.ok ? [] : read.issues.map(({ message: _, ...data }) => data)).toEqual([
    { path: ['email'], code: 'invalidEmail', given: undefined },
    { path: ['firstName'], code: 'wrongType', expected: 'string', given: 'int' },
    { path: ['eventName'], code: 'empty' },
  ]);
});
