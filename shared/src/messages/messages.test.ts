import { sendEventBodySchema } from '../contract/endpoints.js';
import { readWith } from '../issues.js';
import { CALLS, wordCall, type CallCode } from './calls.js';
import { isProblemCode, PROBLEMS, wordIssue, wordProblem } from './problems.js';

test('the sentences of all problems of an input', () => {
  const facts = { expected: ['a', 'b'], given: 'given', wayOut: 'way out' };
  const sentences = Object.keys(PROBLEMS)
    .filter(isProblemCode)
    .map((code) => `${code}: ${wordProblem({ code, ...facts })}`);
  expect(sentences.join('\n')).toMatchSnapshot();
});

const FACTS = {
  action: "send email 'welcome' to ada@example.com",
  operation: 'sendTransactionalEmail',
  baseUrl: 'https://api.example.com',
  status: 418,
  attempts: 2,
  totalRetryDelayMs: 100,
  timeLimitMs: 500,
  headers: { location: 'https://example.com' },
  existingType: 'string',
  issue: { path: ['id'], code: 'missing' },
} as const;

test('the sentences of all ends of a call', () => {
  const codes = Object.keys(CALLS).filter((code): code is CallCode => Object.hasOwn(CALLS, code));
  const clear = { ...FACTS, unclear: false };
  const ends = codes.map((code) => `${code}: ${wordCall(code, clear)}`);
  const unclear = { ...FACTS, unclear: true };
  const more = [
    wordCall('aborted', { ...clear, attempts: 0 }),
    wordCall('refused', { ...clear, serviceMessage: 'Because.' }),
    wordCall('connectionFailed', {
      ...unclear,
      networkCode: 'ECONNRESET',
      status: undefined,
      idempotencyKey: 'k',
    }),
    wordCall('connectionFailed', {
      ...unclear,
      operation: 'sendEvent',
      status: 503,
      idempotencyKey: 'k',
      retryAfterMs: 61_000,
    }),
    wordCall('conflict', { ...unclear, status: 409, idempotencyKey: 'k' }),
    wordCall('connectionFailed', { ...unclear, method: 'PUT' }),
    wordCall('connectionFailed', { ...unclear, method: 'POST' }),
    ...[0, 61_000, 600_000, 7_201_000, 90_000_000].map((retryAfterMs) =>
      wordCall('tooManyRequests', { ...clear, retryAfterMs }),
    ),
    wordIssue({ path: [], code: 'missing' }),
    wordIssue({ path: ['dataVariables', 'total'], code: 'wrongType', expected: 'json', given: 'notFinite' }),
  ];
  expect([...ends, ...more].join('\n')).toMatchSnapshot();
});

test('a problem is data: code, path, what was expected and given', () => {
  const read = readWith(sendEventBodySchema, {
    eventName: '',
    userid: 'u',
    firstName: 1,
    email: 'a b',
  });
  expect(read.ok ? [] : read.issues).toEqual([
    { path: ['email'], code: 'invalidEmail' },
    { path: ['firstName'], code: 'wrongType', expected: 'string', given: 'int' },
    { path: ['eventName'], code: 'empty' },
  ]);
});
