import { AudienceError, AudienceClient, ValidationError } from '../index.js';
import type { AudienceClientOptions } from '../index.js';
import { AudienceApi } from '../internal.js';
import type { AudienceApiOptions } from '../internal.js';
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

describe('the error of a client that cannot be made says why, without the key', () => {
  test.each<[string, unknown, string]>([
    ['no options', undefined, "'options' must be an object"],
    ['no key', { baseUrl: 'https://a.example' }, "'apiKey' is missing"],
    ['a key that is no text', { baseUrl: 'https://a.example', apiKey: 5 }, "'apiKey' is missing"],
    ['a key with a line break', { baseUrl: 'https://a.example', apiKey: 'k\n' }, "'apiKey' holds a space"],
    ['no address', { apiKey: 'k' }, "'baseUrl' is missing"],
    ['an address that is no text', { apiKey: 'k', baseUrl: 5 }, "'baseUrl' must be text"],
    ['Infinity', { apiKey: 'k', baseUrl: 'https://a.example', deadlineMs: Infinity }, "'deadlineMs' must be"],
    ['text', { apiKey: 'k', baseUrl: 'https://a.example', timeoutMs: '5' }, "'timeoutMs' must be"],
    [
      'longer than a key lives',
      { apiKey: 'k', baseUrl: 'https://a.example', deadlineMs: 86_400_001 },
      'at most 86400000',
    ],
    ['a user agent with a €', { apiKey: 'k', baseUrl: 'https://a.example', userAgent: 'caf€' }, 'ASCII'],
    [
      'an option that is none',
      { apiKey: 'k', baseUrl: 'https://a.example', timeout: 5 },
      "'timeout' is an unknown field (did you mean 'timeoutMs'?)",
    ],
    ['2^31', { apiKey: 'k', baseUrl: 'https://a.example', timeoutMs: 2 ** 31 }, 'at most 2147483647'],
  ])('%s', (_what, options, words) => {
    const make = () => new AudienceClient(untyped<AudienceClientOptions>(options));
    expect(make).toThrow(ValidationError);
    expect(make).toThrow(words);
  });

  test('fromEnv names the variables that are not set', () => {
    const { AUDIENCE_BASE_URL: baseUrl, AUDIENCE_API_KEY: apiKey } = process.env;
    try {
      delete process.env['AUDIENCE_BASE_URL'];
      process.env['AUDIENCE_API_KEY'] = 'k';
      expect(() => AudienceClient.fromEnv()).toThrow("'AUDIENCE_BASE_URL' is not set");
      process.env['AUDIENCE_BASE_URL'] = 'https://a.example/prefix/';
      expect(AudienceClient.fromEnv({ maxRetries: 1 }).baseUrl).toBe('https://a.example/prefix');
    } finally {
      restore('AUDIENCE_BASE_URL', baseUrl);
      restore('AUDIENCE_API_KEY', apiKey);
    }
  });

  function restore(name: string, value: string | undefined): void {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});

describe('a call with wrong arguments ends in an AudienceError, and nothing is sent', () => {
  test.each<[string, (api: AudienceApi) => Promise<unknown>]>([
    ['send(undefined)', (api) => api.transactional.send(untyped(undefined))],
    ['send(null)', (api) => api.transactional.send(untyped(null))],
    ['send("text")', (api) => api.transactional.send(untyped('text'))],
    ['event undefined', (api) => api.events.send(untyped(undefined))],
    ['event []', (api) => api.events.send(untyped([]))],
    ['update undefined', (api) => api.contacts.update('u', untyped(undefined))],
    ['update 5', (api) => api.contacts.update('u', untyped(5))],
    ['update []', (api) => api.contacts.update('u', untyped([]))],
    ['update Map', (api) => api.contacts.update('u', untyped(new Map([['firstName', 'A']])))],
    ['update Date', (api) => api.contacts.update('u', untyped(new Date()))],
    [
      'a Map of groups',
      (api) => api.contacts.update('u', { subscriptionGroups: untyped(new Map([['news', false]])) }),
    ],
    ['get undefined', (api) => api.contacts.get(untyped(undefined))],
    ['create undefined', (api) => api.properties.create(untyped(undefined))],
    ['create null type', (api) => api.properties.create(untyped({ name: 'a', type: null }))],
    ['list 5', (api) => api.transactional.list(untyped(5))],
    ['timeoutMs NaN', (api) => api.contacts.get('u', { timeoutMs: Number.NaN })],
    ['deadlineMs 0', (api) => api.contacts.get('u', { deadlineMs: 0 })],
    ['maxRetries NaN', (api) => api.contacts.get('u', { maxRetries: Number.NaN })],
    ['maxRetries Infinity', (api) => api.contacts.get('u', { maxRetries: Infinity })],
    ['timeoutMs 2^31', (api) => api.contacts.get('u', { timeoutMs: 2 ** 31 })],
    ['options null', (api) => api.contacts.get('u', untyped(null))],
    [
      'options null for a keyed write',
      (api) => api.events.send({ email: 'a@b.c', eventName: 'e' }, untyped(null)),
    ],
    [
      'options of properties.create',
      (api) => api.properties.create({ name: 'a', type: 'number' }, untyped(null)),
    ],
    ['options text', (api) => api.contacts.get('u', untyped('text'))],
    ['a signal that is none', (api) => api.contacts.get('u', untyped({ signal: {} }))],
    ['a signal null', (api) => api.contacts.get('u', untyped({ signal: null }))],
    ['a controller as a signal', (api) => api.contacts.get('u', untyped({ signal: new AbortController() }))],
    ['headers null', (api) => api.contacts.get('u', untyped({ headers: null }))],
    ['headers a list', (api) => api.contacts.get('u', untyped({ headers: ['a: b'] }))],
    ['a Headers object', (api) => api.contacts.get('u', untyped({ headers: new Headers({ a: 'b' }) }))],
    ['a header of ours', (api) => api.contacts.get('u', { headers: { Authorization: 'Bearer other' } })],
    ['a line break in a header', (api) => api.contacts.get('u', { headers: { 'x-a': 'b\nc: d' } })],
    ['a header without a name', (api) => api.contacts.get('u', { headers: { '': 'b' } })],
    ['__proto__', (api) => api.contacts.update('u', untyped(JSON.parse('{"__proto__":{"a":1}}')))],
    [
      '__proto__ in a map',
      (api) =>
        api.events.send(
          untyped(JSON.parse('{"email":"a@b.c","eventName":"e","eventProperties":{"__proto__":1}}')),
        ),
    ],
    [
      '__proto__ in variables',
      (api) =>
        api.transactional.send(
          untyped(JSON.parse('{"email":"a@b.c","transactionalId":"t","dataVariables":{"__proto__":1}}')),
        ),
    ],
    [
      'a Map as properties',
      (api) => api.events.send({ email: 'a@b.c', eventName: 'e', eventProperties: untyped(new Map()) }),
    ],
    [
      'a date as a variable',
      (api) =>
        api.transactional.send(
          untyped({ email: 'a@b.c', transactionalId: 't', dataVariables: { when: new Date() } }),
        ),
    ],
  ])('%s', async (_what, call) => {
    const { api, bodies } = client();
    await expect(call(api)).rejects.toBeInstanceOf(AudienceError);
    await expect(call(api)).rejects.toMatchObject({ code: 'validation', attempts: 0, unclear: false });
    expect(bodies).toEqual([]);
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

  test('iterate refuses a limit below 0', () => {
    expect(() => client().api.transactional.iterate({ limit: -1 })).toThrow(ValidationError);
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
  test('properties.create is unclear where neither the response nor the list is known', async () => {
    const { api } = client({
      transport: ({ method }) =>
        Promise.resolve({
          status: method === 'GET' ? 200 : 500,
          headers: {},
          body: method === 'GET' ? '[]' : '',
        }),
    });
    const call = api.properties.create({ name: 'seats', type: 'number' });
    await expect(call).rejects.toMatchObject({ code: 'server', attempts: 1, unclear: true });
  });

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

  test('further headers go with every request', async () => {
    const seen: unknown[] = [];
    const { api } = client({
      transport: ({ headers }) => {
        seen.push(headers['x-trace']);
        return Promise.resolve({ status: seen.length < 2 ? 503 : 200, headers: {}, body: '{"id":"c"}' });
      },
    });
    await api.contacts.get('u', { headers: { 'X-Trace': 't-1' } });
    expect(seen).toEqual(['t-1', 't-1']);
  });
});

describe('options of a wrong type', () => {
  test.each<[unknown, string]>([
    ['key', "The client cannot be made: 'options' must be an object."],
    [{ baseUrl: 'https://api.example.com' }, "'apiKey' is missing: give the API key of your account"],
    [
      { baseURL: 'https://api.example.com', apiKey: 'key' },
      "'baseURL' is an unknown field (did you mean 'baseUrl'?)",
    ],
  ])('%j is refused with the reason', (options, words) => {
    expect(() => new AudienceClient(untyped<AudienceClientOptions>(options))).toThrow(words);
  });

  test('an email without "email" is refused with the reason', async () => {
    const { api } = client({ transport: () => Promise.reject(new Error('nothing is sent')) });
    const call = api.transactional.send(untyped({ to: 'ada@example.com', transactionalId: 't' }));
    await expect(call).rejects.toThrow(
      "Could not send email 't': 'to' is an unknown field (did you mean 'email'?)",
    );
  });
});

test('after stop() an error says that the client was stopped', async () => {
  const { api } = client({ transport: () => Promise.reject(new Error('nothing is sent')) });
  api.stop();
  await expect(api.contacts.get('ada')).rejects.toThrow(
    "Could not read contact 'ada': the client was stopped. Nothing was sent.",
  );
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
    [{}, 'must begin with https://, as http:// sends the API key unencrypted'],
    [{ AUDIENCE_ALLOW_INSECURE: 'yes' }, "'AUDIENCE_ALLOW_INSECURE' must be true or false"],
  ])('with %j is refused', (further, words) => {
    const restore = withEnv({ ...named, ...further });
    expect(() => AudienceClient.fromEnv()).toThrow(words);
    restore();
  });

  test('AUDIENCE_ALLOW_INSECURE allows plain http', () => {
    const restore = withEnv({ ...named, AUDIENCE_ALLOW_INSECURE: 'true' });
    expect(AudienceClient.fromEnv().baseUrl).toBe('http://audience.internal');
    restore();
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

test('what the interface forbids is refused before sending, with a code that says the way out', async () => {
  const { api, bodies } = client({});
  const codeOf = async (call: Promise<unknown>) => {
    const error: unknown = await call.catch((reason: unknown) => reason);
    return error instanceof ValidationError ? error.issues.map(({ code }) => code) : error;
  };
  const email = { email: 'a@b.c', transactionalId: 't', addToAudience: true, planName: 'pro' } as const;
  expect(await codeOf(api.transactional.send(email))).toEqual(['notInEmail']);
  expect(await codeOf(api.contacts.update('a@b.c', { email: 'b@b.c' }))).toEqual(['needsUserId']);
  const event = { email: 'a@b.c', eventName: 'e', source: 'x' };
  expect(await codeOf(api.events.send(event))).toEqual(['notInEvent']);
  expect(bodies).toEqual([]);
});

test('a whole number beyond 2^53 is refused before it is written', async () => {
  const { api, bodies } = client({});
  const call = api.contacts.update('u', { score: 2 ** 53 });
  await expect(call).rejects.toMatchObject({ issues: [{ path: ['score'], code: 'roundedNumber' }] });
  expect(bodies).toEqual([]);
});
