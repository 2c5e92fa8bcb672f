import { getEventListeners, getMaxListeners } from 'node:events';
import { AudienceError, AudienceClient, ValidationError, type AudienceClientOptions } from '../index.js';
import { AudienceApi, type AudienceApiOptions } from '../internal.js';
import { createTestRuntime } from '../../testing/test-runtime.js';
import { VirtualTime } from '../../testing/virtual-time.js';

/** What JavaScript, or data from elsewhere, hands over although the types forbid it. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-unsafe-type-assertion -- that is the point of these tests
const untyped = <Type>(value: unknown): Type => value as Type;

function client(options: Partial<AudienceApiOptions> = {}) {
  const bodies: (string | undefined)[] = [];
  const api = new AudienceApi({
    baseUrl: 'https://api.example.com',
    runtime: createTestRuntime(),
    transport: ({ body }) => {
      bodies.push(body);
      return Promise.resolve({ status: 200, headers: {}, body: '{"success":true,"id":"c"}' });
    },
    ...options,
  });
  return { api, bodies };
}

/** What is refused when a client is made: path, code and way out of each problem. */
function refusalOf(make: () => AudienceClient) {
  try {
    make();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const shown = error.issues.map(({ path, code, wayOut }) => [path.join('.'), code, wayOut]);
    return { message: error.message, issues: shown.map((parts) => parts.filter(Boolean).join(' ')) };
  }
  throw new Error('A ValidationError was expected.');
}

describe('a client that cannot be made', () => {
  const baseUrl = 'https://a.example';
  const apiKey = 'k';
  test.each<[unknown, string]>([
    [undefined, 'missing'],
    ['key', 'wrongType'],
    [{ baseUrl }, 'apiKey missing'],
    [{ baseUrl, apiKey: '' }, 'apiKey empty'],
    [{ baseUrl, apiKey: 'line\nbreak' }, 'apiKey invalidApiKey'],
    [{ baseUrl, apiKey: 'schlüssel' }, 'apiKey invalidApiKey'],
    [{ apiKey }, 'baseUrl notUrl'],
    [{ apiKey, baseUrl: 5 }, 'baseUrl notUrl'],
    [{ apiKey, baseUrl, deadlineMs: Infinity }, 'deadlineMs wrongType'],
    [{ apiKey, baseUrl, deadlineMs: 86_400_001 }, 'deadlineMs tooLarge'],
    [{ apiKey, baseUrl, timeoutMs: 0 }, 'timeoutMs wrongType'],
    [{ apiKey, baseUrl, timeoutMs: 2 ** 31 }, 'timeoutMs tooLarge'],
    [{ apiKey, baseUrl, requestsPerSecond: Number.NaN }, 'requestsPerSecond wrongType'],
    [{ apiKey, baseUrl, maxRetries: 1.5 }, 'maxRetries wrongType'],
    [{ apiKey, baseUrl, concurrency: 0 }, 'concurrency tooSmall'],
    [{ apiKey, baseUrl, userAgent: 'caf€' }, 'userAgent notAscii'],
    [{ apiKey, baseUrl, usedKeyStatus: 503 }, 'usedKeyStatus notOneOf'],
    [{ apiKey, baseUrl, timeout: 5 }, 'timeout unknownField timeoutMs'],
    [{ apiKey, baseURL: baseUrl }, 'baseURL unknownField baseUrl'],
  ])('%j', (options, problem) => {
    const { message, issues } = refusalOf(() => new AudienceClient(untyped<AudienceClientOptions>(options)));
    expect(issues).toEqual([problem]);
    for (const key of ['line\nbreak', 'schlüssel']) expect(message).not.toContain(key);
  });
});

type Call = (api: AudienceApi) => Promise<unknown>;
type Method = (...args: unknown[]) => Promise<unknown>;
const TO = { email: 'a@b.c', eventName: 'e' };
const MAIL = { email: 'a@b.c', transactionalId: 't' };

/** A method with arguments that its types may forbid. */
const calling =
  (resource: 'transactional' | 'events' | 'contacts' | 'properties', method: string) =>
  (...args: unknown[]): Call =>
  (api) =>
    untyped<Record<string, Method>>(api[resource])[method]?.(...args) ?? Promise.resolve();
const send = calling('transactional', 'send');
const list = calling('transactional', 'list');
const event = calling('events', 'send');
const update = calling('contacts', 'update');
const get = calling('contacts', 'get');
const create = calling('properties', 'create');

test.each<[what: string, call: Call, ...problems: string[]]>([
  ['no email', send(undefined), ' missing'],
  ['a text as an email', send('text'), ' wrongType string'],
  ['no recipient', send({ transactionalId: 't' }), 'email noRecipient'],
  ['a userId alone', send({ transactionalId: 't', userId: 'u' }), 'email noRecipient'],
  [
    'a close miss of the recipient',
    send({ transactionalId: 't', to: 'a@b.c' }),
    'to unknownField',
    'email noRecipient',
  ],
  ['no address', send({ ...MAIL, email: 'a b@c' }), 'email invalidEmail'],
  ['an invisible character', send({ ...MAIL, email: 'ada@example.com\u200b' }), 'email invalidEmail'],
  ['a control character', send({ ...MAIL, email: 'ada\u0000@example.com' }), 'email invalidEmail'],
  ['an empty design', send({ ...MAIL, transactionalId: '' }), 'transactionalId empty'],
  ['a name without an audience', send({ ...MAIL, firstName: 'A' }), 'firstName needsAudience'],
  [
    'a text for true',
    send({ ...MAIL, addToAudience: 'yes', firstName: 'A' }),
    'addToAudience wrongType string',
  ],
  ['a property in an email', send({ ...MAIL, addToAudience: true, plan: 'pro' }), 'plan unknownField'],
  [
    'a date as a variable',
    send({ ...MAIL, dataVariables: { when: new Date() } }),
    'dataVariables.when wrongType Date',
  ],
  ['a list as an event', event([]), ' wrongType list', 'email noContact'],
  ['a pattern as an event', event(Object.assign(/a/, TO)), ' wrongType RegExp'],
  ['no contact', event({ eventName: 'e' }), 'email noContact'],
  ['an empty userId', event({ userId: '', eventName: 'e' }), 'userId empty'],
  ['a source', event({ ...TO, source: 'x' }), 'source reservedName source'],
  ['a Map as properties', event({ ...TO, eventProperties: new Map() }), 'eventProperties wrongType Map'],
  [
    'a promise as properties',
    event({ ...TO, eventProperties: Promise.resolve({ a: 1 }) }),
    'eventProperties wrongType Promise',
  ],
  ['no changes', update('u', undefined), ' wrongType undefined'],
  ['a list of changes', update('u', []), ' wrongType list'],
  ['a Map of changes', update('u', new Map([['firstName', 'A']])), ' wrongType Map'],
  ['a promise of changes', update('u', Promise.resolve({ firstName: 'A' })), ' wrongType Promise'],
  [
    'an error as groups',
    update('u', { subscriptionGroups: new Error('a') }),
    'subscriptionGroups wrongType Error',
  ],
  ['a new email by the email', update('a@b.c', { email: 'b@b.c' }), 'email needsUserId'],
  ['no identifier', get(undefined), 'identifier missing'],
  ['an empty identifier', get(''), 'identifier empty'],
  ['a dot', update('.', {}), 'identifier otherMeaning .'],
  ['two dots', get('..'), 'identifier otherMeaning ..'],
  ['a path of the service', get('properties'), 'identifier otherMeaning properties'],
  ['broken Unicode', get('\ud800'), 'identifier otherMeaning \ud800'],
  ['no property', create(undefined), ' missing'],
  ['no type', create({ name: 'a', type: null }), 'type notOneOf'],
  ['no camelCase', create({ name: 'team_size', type: 'string' }), 'name notCamelCase team_size'],
  ['a reserved name', create({ name: 'email', type: 'string' }), 'name reservedName email'],
  ['a built-in name', create({ name: 'createdAt', type: 'string' }), 'name reservedName createdAt'],
  ['a number as a query', list(5), ' wrongType int'],
  ['too small a page', list({ perPage: 9 }), 'perPage tooSmall'],
  ['too large a page', list({ perPage: 51 }), 'perPage tooLarge'],
  ['half a page', list({ perPage: 10.5 }), 'perPage wrongType decimal'],
  ['timeoutMs NaN', get('u', { timeoutMs: Number.NaN }), 'timeoutMs wrongType notFinite'],
  ['deadlineMs 0', get('u', { deadlineMs: 0 }), 'deadlineMs wrongType 0'],
  ['options null', get('u', null), ' wrongType null'],
  ['options null of a write', event(TO, null), ' wrongType null'],
  ['options of properties.create', create({ name: 'a', type: 'number' }, null), ' wrongType null'],
  ['a signal null', get('u', { signal: null }), 'signal wrongType null'],
  [
    'a controller as a signal',
    get('u', { signal: new AbortController() }),
    'signal wrongType AbortController',
  ],
  [
    'an unknown option',
    send(MAIL, { idempotencyKeys: 'order-1' }),
    'idempotencyKeys unknownField idempotencyKey',
  ],
  ['an earlier request without its key', send(MAIL, { earlierRequest: true }), 'idempotencyKey missing'],
  ['an empty key', send(MAIL, { idempotencyKey: '' }), 'idempotencyKey empty'],
  ['a key of 101 characters', send(MAIL, { idempotencyKey: 'k'.repeat(101) }), 'idempotencyKey tooLong'],
  ['a key with an umlaut', send(MAIL, { idempotencyKey: 'schlüssel' }), 'idempotencyKey notAscii'],
  ['a key with a space in front', send(MAIL, { idempotencyKey: ' padded' }), 'idempotencyKey notAscii'],
  ['a key with a space at its end', send(MAIL, { idempotencyKey: 'padded ' }), 'idempotencyKey notAscii'],
])('%s is refused, and nothing is sent', async (_what, call, ...problems) => {
  const { api, bodies } = client();
  const error: unknown = await call(api).catch((reason: unknown) => reason);
  if (!(error instanceof ValidationError)) throw error;
  expect(error).toMatchObject({ code: 'validation', attempts: 0, unclear: false });
  const shown = error.issues.map(({ path, code, given, wayOut }) => [path.join('.'), code, given ?? wayOut]);
  expect(shown.map((parts) => parts.filter((part) => part !== undefined).join(' '))).toEqual(problems);
  expect(bodies).toEqual([]);
});

test('one error names every wrong field', async () => {
  const { api } = client();
  const changes = { subscribed: true, 'First Name': 'Ada', id: 'x', email: 'not an address', score: 2 ** 53 };
  const error: unknown = await update('u', changes)(api).catch((reason: unknown) => reason);
  if (!(error instanceof ValidationError)) throw error;
  expect(error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).sort()).toEqual([
    'First Name notCamelCase',
    'email invalidEmail',
    'id reservedName',
    'score roundedNumber',
    'subscribed onlyFalse',
  ]);
});

test.each(['...', '. ', 'Properties', '/'])('%j is an identifier', async (identifier) => {
  await expect(update(identifier, {})(client().api)).resolves.toMatchObject({ success: true });
});

test('iterate and pages accept null as no options', async () => {
  const page = {
    data: [],
    pagination: { totalResults: 0, returnedResults: 0, perPage: 50, totalPages: 0, nextCursor: null },
  };
  const { api } = client({
    transport: () => Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(page) }),
  });
  await expect(api.transactional.iterate(untyped(null)).next()).resolves.toMatchObject({ done: true });
  await expect(api.transactional.pages(untyped(null)).next()).resolves.toMatchObject({ value: page });
});

describe('signals', () => {
  test('thirty calls that share one signal print no warning of a leak', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => warnings.push(message);
    process.on('warning', note);
    const controller = new AbortController();
    const waiting = client({
      transport: () => new Promise(() => undefined),
      runtime: new VirtualTime(),
      concurrency: 5,
    });
    const calls = Array.from({ length: 30 }, () =>
      waiting.api.contacts
        .get('u', { signal: controller.signal })
        .catch((error: unknown) => (error instanceof AudienceError ? error.code : error)),
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
    controller.abort();
    // Five were in a transport that hears nothing; the others waited for their turn.
    expect(await Promise.all(calls)).toEqual(Array(30).fill('aborted'));
  });

  test('a signal that outlives its calls keeps no listener of theirs', async () => {
    const { signal } = new AbortController();
    const { api } = client();
    await Promise.all([api.contacts.get('u', { signal }), api.contacts.get('v', { signal })]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    // Node warns of more than ten at once, unless there is no limit.
    expect(getMaxListeners(signal)).toBe(0);
  });
});

test("a service's control characters are in no message", async () => {
  const message = 'gone\u001b[2J\u0007\r\nINFO all is well evil\u0085';
  const { api } = client({
    transport: () => Promise.resolve({ status: 422, headers: {}, body: JSON.stringify({ message }) }),
  });
  const error: unknown = await api.contacts.get('ada').catch((failure: unknown) => failure);
  expect(String(error)).toContain('"gone [2J INFO all is well evil "');
  expect(error).toMatchObject({ serviceMessage: 'gone [2J INFO all is well evil ' });
});

describe('the environment', () => {
  const named = { AUDIENCE_BASE_URL: 'http://audience.internal', AUDIENCE_API_KEY: 'key' };
  const withEnv = (variables: Record<string, string>) => {
    const before = { ...process.env };
    Object.assign(process.env, variables);
    return () => {
      for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, before);
    };
  };

  test.each([
    [{}, 'baseUrl unencrypted'],
    [{ AUDIENCE_ALLOW_INSECURE: 'yes' }, 'baseUrl unencrypted'],
    [{ AUDIENCE_BASE_URL: '' }, 'AUDIENCE_BASE_URL empty'],
  ])('with %j is refused', (further, problem) => {
    const restore = withEnv({ ...named, ...further });
    expect(refusalOf(() => AudienceClient.fromEnv()).issues).toEqual([problem]);
    restore();
  });

  test('AUDIENCE_ALLOW_INSECURE allows plain http; options are kept', () => {
    const restore = withEnv({ ...named, AUDIENCE_ALLOW_INSECURE: 'true' });
    expect(AudienceClient.fromEnv({ maxRetries: 1 }).baseUrl).toBe('http://audience.internal');
    restore();
    const restoreUnset = withEnv(named);
    expect(AudienceClient.fromEnv({ allowInsecure: true }).baseUrl).toBe('http://audience.internal');
    restoreUnset();
  });
});
