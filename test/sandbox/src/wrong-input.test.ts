import { clockChangeSchema } from './clock.js';
import { newFaultSchema } from './faults/fault.js';
import { rateLimitSchema } from './faults/rate-limit.js';
import { newProfileSchema } from './profile.js';
import { readAs } from './read-as.js';
import { optionsSchema } from './sandbox-options.js';

const SCHEMAS = {
  fault: newFaultSchema,
  profile: newProfileSchema,
  'rate limit': rateLimitSchema,
  'clock change': clockChangeSchema,
  'set of options': optionsSchema,
};

test.each<[keyof typeof SCHEMAS, object, string]>([
  ['fault', {}, 'must have one of respond'],
  ['fault', { route: 'nope', cut: true }, "'route'"],
  ['fault', { every: 0, cut: true }, "'every'"],
  ['fault', { cut: true, when: 'later' }, "'when'"],
  ['fault', { respond: { status: 500 }, cut: true }, 'only one of respond, cut'],
  ['fault', { respond: { status: 199 } }, "'respond.status'"],
  ['fault', { respond: { status: 500, headers: { 'a b': 'c' } } }, "'respond.headers.a b' is not a name"],
  ['fault', { respond: { status: 500, headers: { a: 'b\r\n' } } }, "'respond.headers.a' has a value with a"],
  ['profile', { duplicates: 'sometimes' }, "'duplicates' must be one of replay, refuse"],
  ['profile', { duplicate: 'refuse' }, "'duplicate' is an unknown field of it (did you mean 'duplicates'?)"],
  ['rate limit', { requestsPerSecond: 0 }, "'requestsPerSecond' must be a number"],
  ['rate limit', { requestsPerSecond: 1, burst: 0.5 }, "'burst' must be a whole"],
  ['clock change', { advanceMs: 1e18 }, "'advanceMs' "],
  ['clock change', { time: '2026-01-12T09:00Z' }, 'must be ISO 8601 in UTC, such as 2026-01-12T09:00:00Z'],
  ['set of options', { controlKey: ' ' }, "'controlKey' must not be empty"],
  ['set of options', { apiKey: 'ключ' }, "'apiKey' must be ASCII characters without a space"],
  ['set of options', { port: 70_000 }, "'port' is too large: at most 65535"],
  [
    'set of options',
    { rateLimit: { requestsPerSecond: Number.NaN } },
    "'rateLimit.requestsPerSecond' must be",
  ],
  ['set of options', { warn: 'me' }, "'warn' must be a function"],
  ['set of options', { host: '' }, "'host' must not be empty"],
  ['set of options', { prefix: 'audience' }, "'prefix' must be a path such as"],
  ['set of options', { prefix: '/a b' }, "'prefix' must be a path such as"],
  ['set of options', { prefix: '/a//b' }, "'prefix' must be a path such as"],
  ['set of options', { prefix: '/a/../b' }, "'prefix' must be a path such as"],
  ['set of options', { prefix: '/.' }, "'prefix' must be a path such as"],
])('a %s cannot be %j', (what, value, message) => {
  expect(() => readAs<unknown>(SCHEMAS[what], value, 'it')).toThrow(message);
});
