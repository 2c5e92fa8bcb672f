import { getEventListeners } from 'node:events';
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
    [{ baseUrl }, 'apiKey noApiKey'],
    [{ baseUrl, apiKey: '' }, 'apiKey noApiKey'],
    [{ baseUrl, apiKey: 5 }, 'apiKey noApiKey'],
    [{ baseUrl, apiKey: 'line\nbreak' }, 'apiKey invalidApiKey'],
    [{ baseUrl, apiKey: 'with space' }, 'apiKey invalidApiKey'],
    [{ baseUrl, apiKey: 'schlüssel' }, 'apiKey invalidApiKey'],
    [{ apiKey }, 'baseUrl noBaseUrl'],
    [{ apiKey, baseUrl: 5 }, 'baseUrl wrongType'],
    [{ apiKey, baseUrl, deadlineMs: Infinity }, 'deadlineMs wrongType'],
    [{ apiKey, baseUrl, deadlineMs: -1 }, 'deadlineMs wrongType'],
    [{ apiKey, baseUrl, deadlineMs: 86_400_001 }, 'deadlineMs tooLarge'],
    [{ apiKey, baseUrl, timeoutMs: '5' }, 'timeoutMs wrongType'],
    [{ apiKey, baseUrl, timeoutMs: 0 }, 'timeoutMs wrongType'],
    [{ apiKey, baseUrl, timeoutMs: 2 ** 31 }, 'timeoutMs tooLarge'],
    [{ apiKey, baseUrl, requestsPerSecond: Number.NaN }, 'requestsPerSecond wrongType'],
    [{ apiKey, baseUrl, maxRetries: 1.5 }, 'maxRetries wrongType'],
    [{ apiKey, baseUrl, concurrency: 0 }, 'concurrency wrongType'],
    [{ apiKey, baseUrl, userAgent: 'caf€' }, 'userAgent notAscii'],
    ...[200, 404, 503].map((usedKeyStatus): [unknown, string] => [
      { apiKey, baseUrl, usedKeyStatus },
      'usedKeyStatus notOneOf',
    ]),
    [{ apiKey, baseUrl, timeout: 5 }, 'timeout unknownField timeoutMs'],
    [{ apiKey, baseURL: baseUrl }, 'baseURL unknownField baseUrl'],
  ])('%j', (options, problem) => {
    const { message, issues } = refusalOf(() => new AudienceClient(untyped<AudienceClientOptions>(options)));
    expect(issues).toEqual([problem]);
    for (const key of ['line\nbreak', 'with space', 'schlüssel']) expect(message).not.toContain(key);
  });
});

describe('a call with wrong arguments ends in an AudienceError, and nothing is sent', () => {
  type Call = (api: AudienceApi) => Promise<unknown>;
  const TO = { email: 'a@b.c', eventName: 'e' };
  const send =
    (message: unknown): Call =>
    (api) =>
      api.transactional.send(untyped(message));
  const event =
    (given: unknown, options?: unknown): Call =>
    (api) =>
      api.events.send(untyped(given), untyped(options));
  const update =
    (changes: unknown): Call =>
    (api) =>
      api.contacts.update('u', untyped(changes));
  const create =
    (property: unknown, options?: unknown): Call =>
    (api) =>
      api.properties.create(untyped(property), untyped(options));
  const get =
    (identifier: unknown, options?: unknown): Call =>
    (api) =>
      api.contacts.get(untyped(identifier), untyped(options));
  const PROTO: unknown = JSON.parse('{"__proto__":1}');

  test.each<[string, Call]>([
    ['send(undefined)', send(undefined)],
    ['send(null)', send(null)],
    ['send("text")', send('text')],
    ['event undefined', event(undefined)],
    ['event []', event([])],
    ['update undefined', update(undefined)],
    ['update 5', update(5)],
    ['update []', update([])],
    ['update Map', update(new Map([['firstName', 'A']]))],
    ['update Date', update(new Date())],
    ['a Map of groups', update({ subscriptionGroups: new Map([['news', false]]) })],
    ['get undefined', get(undefined)],
    ['create undefined', create(undefined)],
    ['create null type', create({ name: 'a', type: null })],
    ['list 5', (api) => api.transactional.list(untyped(5))],
    ['timeoutMs NaN', get('u', { timeoutMs: Number.NaN })],
    ['deadlineMs 0', get('u', { deadlineMs: 0 })],
    ['options null', get('u', null)],
    ['options null for a keyed write', event(TO, null)],
    ['options of properties.create', create({ name: 'a', type: 'number' }, null)],
    ['options text', get('u', 'text')],
    ['a signal that is none', get('u', { signal: {} })],
    ['a signal null', get('u', { signal: null })],
    ['a controller as a signal', get('u', { signal: new AbortController() })],
    ['__proto__', update(JSON.parse('{"__proto__":{"a":1}}'))],
    ['__proto__ in a map', event({ ...TO, eventProperties: PROTO })],
    ['__proto__ in variables', send({ email: 'a@b.c', transactionalId: 't', dataVariables: PROTO })],
    ['a Map as properties', event({ ...TO, eventProperties: new Map() })],
    ['a promise as properties', event({ ...TO, eventProperties: Promise.resolve({ a: 1 }) })],
    ['an error as groups', update({ subscriptionGroups: new Error('a') })],
    ['a promise as changes', update(Promise.resolve({ firstName: 'A' }))],
    ['a pattern as an event', event(Object.assign(/a/, TO))],
    ['a date in a map', send({ email: 'a@b.c', transactionalId: 't', dataVariables: { when: new Date() } })],
  ])('%s', async (_what, call) => {
    const { api, bodies } = client();
    await expect(call(api)).rejects.toBeInstanceOf(AudienceError);
    await expect(call(api)).rejects.toMatchObject({ code: 'validation', attempts: 0, unclear: false });
    expect(bodies).toEqual([]);
  });

  test('what is no plain data is called by its class', async () => {
    const { api } = client();
    const calls = [
      update(Promise.resolve()),
      update({ subscriptionGroups: /a/ }),
      event({ ...TO, eventProperties: new Error('a') }),
    ];
    const issues = calls.map(async (call) => {
      const error: unknown = await call(api).catch((reason: unknown) => reason);
      return error instanceof ValidationError && error.issues.map(({ path, given }) => [...path, given]);
    });
    expect(await Promise.all(issues)).toEqual([
      [['Promise']],
      [['subscriptionGroups', 'RegExp']],
      [['eventProperties', 'Error']],
    ]);
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
  });

  test('an abort during properties.create is an AbortedError, also while it reads the list', async () => {
    const controller = new AbortController();
    const { api } = client({
      transport: ({ method }) => {
        if (method === 'GET') controller.abort('enough');
        return Promise.resolve({ status: method === 'GET' ? 429 : 503, headers: {}, body: '' });
      },
    });
    const call = api.properties.create({ name: 'seats', type: 'number' }, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: 'aborted', cause: 'enough', unclear: true });
  });
});

describe('the result of a call', () => {
  test.each([
    [{ 'idempotent-replayed': 'true' }, true],
    [{ 'idempotent-replayed': 'false' }, false],
    [{}, false],
  ])('a response with %p gives deduplicated', async (headers, deduplicated) => {
    const { api } = client({
      transport: () => Promise.resolve({ status: 200, headers, body: '{"success":true}' }),
    });
    const sent = await api.events.send({ email: 'a@b.c', eventName: 'e' }, { idempotencyKey: 'order-1' });
    expect(sent).toMatchObject({ success: true, deduplicated });
  });
});

test('an unknown field beside a missing one is probably the missing one', async () => {
  const { api } = client();
  const call = api.transactional.send(untyped({ to: 'ada@example.com', transactionalId: 't' }));
  const unknown = { path: ['to'], code: 'unknownField', wayOut: 'email' };
  await expect(call).rejects.toMatchObject({ issues: [unknown, { code: 'noRecipient' }] });
});

test("a service's control characters are in no message", async () => {
  const message = 'gone\u001b[2J\u0007\r\nINFO all is well \u202eevil\u0085';
  const { api } = client({
    transport: () => Promise.resolve({ status: 422, headers: {}, body: JSON.stringify({ message }) }),
  });
  const error: unknown = await api.contacts.get('ada').catch((failure: unknown) => failure);
  expect(String(error)).toContain('"gone [2J INFO all is well  evil "');
  expect(error).toMatchObject({ serviceMessage: 'gone [2J INFO all is well  evil ' });
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
    [{ AUDIENCE_ALLOW_INSECURE: 'yes' }, 'AUDIENCE_ALLOW_INSECURE wrongType'],
    [{ AUDIENCE_BASE_URL: '' }, 'AUDIENCE_BASE_URL notSet'],
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

test('a key given as an identifier is not in the error about the options or the size of its call', async () => {
  const secret = 'sk-0123456789';
  const { api, bodies } = client({ secrets: [secret] });
  const huge = 'x'.repeat(33 * 1024 * 1024);
  const calls = [
    () => api.contacts.get(secret, { timeoutMs: 0 }),
    () => api.contacts.update(secret, { firstName: huge }),
  ];
  for (const call of calls) {
    const message = await call().then(String, String);
    expect(message).toMatch(/^ValidationError: Could not .*\[redacted\]/);
    expect(message).not.toContain(secret);
  }
  expect(bodies).toEqual([]);
});
