import { inspect } from 'node:util';
import { failureOf } from '../../testing/ends.js';
import { createTestRuntime, type TestRuntime } from '../../testing/test-runtime.js';
import {
  answer,
  cut,
  forEachTest,
  type Reaction,
  type ScriptedServer,
} from '../../testing/scripted-server.js';
import * as core from '../index.js';
import {
  AudienceClient,
  InvalidRequestError,
  ValidationError,
  type AudienceClientOptions,
  type TransactionalEmailMessage,
} from '../index.js';

const API_KEY = 'key-that-nobody-may-see';
const MAIL: TransactionalEmailMessage = { email: 'ada@example.com', transactionalId: 'welcome' };
const OK = answer(200, { success: true });

let server: ScriptedServer;
let runtime: TestRuntime;
const clients: AudienceClient[] = [];

forEachTest((started) => (server = started));
beforeEach(() => {
  runtime = createTestRuntime();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

function connect(options: Partial<AudienceClientOptions> = {}): AudienceClient {
  const client = new AudienceClient({ baseUrl: server.url, apiKey: API_KEY, runtime, ...options });
  clients.push(client);
  return client;
}

function keys(): unknown[] {
  return server.received.map(({ headers }) => headers['idempotency-key']);
}

describe('what goes over the wire', () => {
  test('each call has its method, path, query, body and headers', async () => {
    const audience = connect({ baseUrl: `${server.url}/prefix/` });
    const contact = { id: 'c1', email: 'ada@example.com' };
    server.script(
      answer(200, {
        pagination: { totalResults: 0, returnedResults: 0, perPage: 10, totalPages: 0 },
        data: [],
      }),
      OK,
      answer(200, contact),
      answer(200, { success: true, id: 'c1' }),
      answer(200, []),
      answer(200, []),
      OK,
      answer(200, []),
      OK,
    );
    await audience.transactional.list({ perPage: 10, cursor: 'a b' });
    await audience.transactional.send(MAIL, { idempotencyKey: 'order-1' });
    expect(await audience.contacts.get('ada@example.com')).toEqual(contact);
    expect(await audience.contacts.update('user 1/2', { firstName: null, teamSize: 4 })).toMatchObject({
      id: 'c1',
    });
    await audience.properties.list({ list: 'custom' });
    await audience.properties.list({ list: undefined });
    await audience.properties.create({ name: 'teamSize', type: 'number' });
    await audience.subscriptionGroups.list();
    await audience.events.send({
      userId: 'u1',
      eventName: 'signedUp',
      eventProperties: { at: new Date(5_999) },
    });

    expect(server.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/prefix/v1/transactional?perPage=10&cursor=a+b', ''],
      ['POST', '/prefix/v1/transactional', JSON.stringify(MAIL)],
      ['GET', '/prefix/v1/contacts/ada%40example.com', ''],
      ['PUT', '/prefix/v1/contacts/user%201%2F2', '{"firstName":null,"teamSize":4}'],
      ['GET', '/prefix/v1/contacts/properties?list=custom', ''],
      ['GET', '/prefix/v1/contacts/properties', ''],
      ['POST', '/prefix/v1/contacts/properties', '{"name":"teamSize","type":"number"}'],
      ['GET', '/prefix/v1/subscription-groups', ''],
      ['POST', '/prefix/v1/events/send', '{"userId":"u1","eventName":"signedUp","eventProperties":{"at":5}}'],
    ]);
    for (const { method, headers } of server.received) {
      expect(headers.authorization).toBe(`Bearer ${API_KEY}`);
      expect(headers.accept).toBe('application/json');
      expect(headers['content-type']).toBe(method === 'GET' ? undefined : 'application/json');
    }
    expect(keys().map((key) => typeof key === 'string')).toEqual(
      server.received.map(({ url }) => url === '/prefix/v1/transactional' || url.endsWith('/events/send')),
    );
  });

  test('a custom property may be called success', async () => {
    server.script(answer(200, { id: 'c', email: 'ada@example.com', success: false }));
    expect(await connect().contacts.get('ada@example.com')).toMatchObject({ success: false });
  });

  test('a failure of withResponse() causes no unhandled rejection', async () => {
    server.script(answer(400));
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    await expect(connect().transactional.list().withResponse()).rejects.toThrow(InvalidRequestError);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('idempotency keys', () => {
  test('two calls have different keys; the longest allowed key of the caller is sent unchanged', async () => {
    const audience = connect();
    await audience.transactional.send(MAIL);
    const { idempotencyKey } = await audience.transactional.send(MAIL);
    expect(idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    await audience.transactional.send(MAIL, { idempotencyKey: 'k'.repeat(100) });
    await audience.events.send({ email: 'a@b.c', eventName: 'e' }, { idempotencyKey: 'order-17' });
    expect(new Set(keys()).size).toBe(4);
    expect(keys().slice(1)).toEqual([idempotencyKey, 'k'.repeat(100), 'order-17']);
  });
});

describe('retries', () => {
  const after = (status: number, retryAfter: string) => answer(status, '', { 'retry-after': retryAfter });

  test.each<[string, Reaction, object, object, object]>([
    ['6 attempts', answer(503), {}, {}, { code: 'serviceFailed', status: 503, attempts: 6 }],
    ['maxRetries', answer(503), { maxRetries: 2 }, {}, { attempts: 3, totalRetryDelayMs: 1_125 }],
    ['maxRetries of the call', answer(503), { maxRetries: 0 }, { maxRetries: 1 }, { attempts: 2 }],
    ['a minute that is named', after(503, '60'), { maxRetries: 1 }, {}, { totalRetryDelayMs: 60_000 }],
    ['a longer Retry-After', after(429, '61'), {}, {}, { status: 429, attempts: 1, retryAfterMs: 61_000 }],
    ['the deadline', after(429, '10'), {}, { deadlineMs: 9_999 }, { code: 'tooManyRequests', attempts: 1 }],
    ['ten waits of a tenth', after(429, '10'), {}, { deadlineMs: 10_000 }, { attempts: 10 }],
  ])('a call ends after %s', async (_what, reaction, ofClient, ofCall, facts) => {
    server.script(reaction);
    expect(await failureOf(connect(ofClient).transactional.send(MAIL, ofCall))).toMatchObject(facts);
  });
});

describe('abort', () => {
  test('before anything was sent', async () => {
    const error = await failureOf(connect().contacts.get('u', { signal: AbortSignal.abort('enough') }));
    expect(error).toBeInstanceOf(core.AbortedError);
    expect(error).toMatchObject({ code: 'aborted', attempts: 0, cause: 'enough' });
    expect(server.received).toHaveLength(0);
  });

  test('in a wait after 429, the error is not unclear', async () => {
    const controller = new AbortController();
    server.script(answer(429, '', { 'retry-after': '5' }));
    const sleep = () => {
      controller.abort();
      return Promise.resolve();
    };
    const error = await failureOf(
      connect({ runtime: { ...runtime, sleep } }).transactional.send(MAIL, { signal: controller.signal }),
    );
    expect(error).toMatchObject({ code: 'aborted', attempts: 1, unclear: false });
  });
});

describe('errors', () => {
  test.each([
    [400, 'InvalidRequestError', 'refused'],
    [401, 'AuthenticationError', 'keyRefused'],
    [403, 'PermissionError', 'notAllowed'],
    [404, 'NotFoundError', 'contactNotFound'],
    [409, 'ConflictError', 'conflict'],
    [429, 'RateLimitError', 'tooManyRequests'],
    [500, 'ServerError', 'serviceFailed'],
    [304, 'UnexpectedResponseError', 'redirect'],
  ] as const)('status %d', async (status, name, code) => {
    server.script(answer(status, { success: false, message: 'Because.' }));
    const error = await failureOf(connect({ maxRetries: 0 }).contacts.get('ada@example.com'));
    expect(error).toBeInstanceOf(core[name]);
    const path = '/v1/contacts/ada%40example.com';
    expect(error).toMatchObject({ name, code, status, method: 'GET', path });
    if (status >= 400) expect(error.serviceMessage).toBe('Because.');
  });

  test.each<[string, Reaction, object]>([
    ['a contact without id', answer(200, { email: 'a@b.c' }), { issue: { path: ['id'], code: 'missing' } }],
  ])('200 with %s is an error that says what came', async (_what, reaction, facts) => {
    server.script(reaction);
    const error = await failureOf(connect().contacts.get('u'));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', attempts: 1, ...facts });
  });

  test('200 with success: false is a rejection, with the reason', async () => {
    server.script(answer(200, { success: false, error: 'over quota' }));
    const error = await failureOf(connect().transactional.send(MAIL));
    expect(error).toBeInstanceOf(core.RejectedError);
    expect(error).toMatchObject({ code: 'notSuccessful', serviceMessage: 'over quota' });
  });

  test.each([
    [{ message: 'm' }, 'm'],
    [{ error: 'e' }, 'e'],
    [{ message: ' ', error: 'e' }, 'e'],
    [{ error: { message: 'deeper' } }, undefined],
    [{ detail: 'd' }, undefined],
  ])('the reason in %j; without one the body is kept', async (body, reason) => {
    const text = JSON.stringify(body);
    server.script(answer(400, text));
    const { serviceMessage, bodySnippet } = await failureOf(connect().contacts.get('u'));
    expect([serviceMessage, bodySnippet]).toEqual([reason, reason === undefined ? text : undefined]);
  });

  test('an error as JSON is plain data without headers', async () => {
    server.script(answer(400, { message: 'no' }, { 'x-secret': 'hidden-header' }));
    const error = await failureOf(connect().contacts.get('u'));
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'InvalidRequestError',
      code: 'refused',
      status: 400,
      message: error.message,
      serviceMessage: 'no',
    });
    expect(inspect(error, { depth: 10 })).not.toContain('hidden-header');
  });

  test('a long body is cut', async () => {
    server.script(answer(400, 'x'.repeat(2_000)));
    expect((await failureOf(connect().contacts.get('u'))).bodySnippet).toHaveLength(501);
  });
});

describe('secrets', () => {
  const everyText = (value: unknown): string =>
    [
      inspect(value, { depth: 20, showHidden: true }),
      JSON.stringify(value),
      value instanceof Error ? `${value.message}${value.stack ?? ''}${inspect(value.cause)}` : '',
    ].join('\n');

  const echo: Reaction = ({ headers }, response) => {
    response.writeHead(400, {
      'content-type': 'application/json',
      'x-request-id': headers.authorization ?? '',
    });
    response.end(JSON.stringify({ message: `You sent ${headers.authorization ?? ''}` }));
  };

  test.each<[string, Reaction]>([
    ['echoed by the service', echo],
    ['a cut connection', cut],
    ['500', answer(500, `Bearer ${API_KEY}`)],
    ['a redirect', answer(302, '', { location: `https://example.com/?key=${API_KEY}` })],
    ['not of the contract', answer(200, { wrong: API_KEY })],
    ['over the edge of the snippet', answer(400, 'y'.repeat(490) + API_KEY)],
  ])('the key is in no error: %s', async (_what, reaction) => {
    server.script(reaction);
    const text = everyText(await failureOf(connect({ maxRetries: 1 }).contacts.get('u')));
    expect(text).not.toContain(API_KEY);
    expect(text).not.toContain(API_KEY.slice(0, 12));
  });

  test.each<[string, (audience: AudienceClient) => Promise<unknown>]>([
    ['fields', ({ contacts }) => contacts.update(API_KEY, { email: 'no' })],
    ['options', ({ contacts }) => contacts.get(API_KEY, { timeoutMs: 0 })],
  ])('a key given as an identifier is in no error about %s', async (_what, call) => {
    const error = await failureOf(call(connect()));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.message).toContain('[redacted]');
    expect(everyText(error)).not.toContain(API_KEY);
    expect(server.received).toEqual([]);
  });

  test('a key given as an identifier is in no error about the contact', async () => {
    server.script(answer(404));
    const error = await failureOf(connect().contacts.get(API_KEY));
    expect(error).toMatchObject({ code: 'contactNotFound', path: '/v1/contacts/[redacted]' });
    expect(everyText(error)).not.toContain(API_KEY);
  });

  test('the key is not in the client, nor in a result', async () => {
    const audience = connect();
    const result = await audience.transactional.send(MAIL);
    expect(everyText(audience)).not.toContain(API_KEY);
    expect(everyText(result)).not.toContain(API_KEY);
  });
});

describe('creating a property, which has no key', () => {
  const property = { name: 'teamSize', type: 'number' } as const;
  const listed = answer(200, [{ key: 'teamSize', label: 'Team size', type: 'number' }]);
  const calls = () => server.received.map(({ method }) => method);

  test.each<[string, Reaction]>([
    ['a cut', cut],
    ['500', answer(500)],
  ])('after %s the list is read, and a listed property is not created twice', async (_what, failure) => {
    server.script(failure, listed);
    expect(await connect().properties.create(property)).toMatchObject({
      success: true,
      deduplicated: true,
      attempts: 1,
    });
    expect(calls()).toEqual(['POST', 'GET']);
  });

  test.each<[string, Reaction[], object, string[]]>([
    ['not listed', [cut, answer(200, [])], { code: 'connectionFailed', unclear: true }, ['POST', 'GET']],
    ['no list', [answer(500), answer(401)], { code: 'serviceFailed', unclear: true }, ['POST', 'GET']],
    ['409 at the first attempt', [answer(409), listed], { code: 'conflict' }, ['POST']],
    [
      'listed with another type',
      [cut, answer(200, [{ key: 'teamSize', label: null, type: 'string' }])],
      { code: 'otherType', existingType: 'string', unclear: false },
      ['POST', 'GET'],
    ],
  ])('after %s it fails, and is not created twice', async (_what, reactions, facts, requests) => {
    server.script(...reactions);
    expect(await failureOf(connect().properties.create(property))).toMatchObject(facts);
    expect(calls()).toEqual(requests);
  });
});
