import { inspect } from 'node:util';
import { createTestRuntime } from '../../testing/test-runtime.js';
import type { TestRuntime } from '../../testing/test-runtime.js';
import { answer, cut, hang, startScriptedServer } from '../../testing/scripted-server.js';
import type { Reaction, ScriptedServer } from '../../testing/scripted-server.js';
import {
  AbortedError,
  AudienceClient,
  AudienceError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RejectedError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  ValidationError,
} from '../index.js';
import type { AudienceClientOptions, TransactionalEmailMessage } from '../index.js';

const API_KEY = 'key-that-nobody-may-see';
const MAIL: TransactionalEmailMessage = { email: 'ada@example.com', transactionalId: 'welcome' };
const OK = answer(200, { success: true });

let server: ScriptedServer;
let runtime: TestRuntime;
const clients: AudienceClient[] = [];

beforeAll(async () => {
  server = await startScriptedServer();
});
beforeEach(() => {
  server.received.length = 0;
  server.script(OK);
  runtime = createTestRuntime();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => server.close());

function connect(options: Partial<AudienceClientOptions> = {}): AudienceClient {
  const client = new AudienceClient({ baseUrl: server.url, apiKey: API_KEY, runtime, ...options });
  clients.push(client);
  return client;
}

async function failureOf(call: Promise<unknown>): Promise<AudienceError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof AudienceError) return outcome.error;
  throw new Error(`An AudienceError was expected, not ${inspect(outcome)}`);
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
      ['POST', '/prefix/v1/contacts/properties', '{"name":"teamSize","type":"number"}'],
      ['GET', '/prefix/v1/subscription-groups', ''],
      ['POST', '/prefix/v1/events/send', '{"userId":"u1","eventName":"signedUp","eventProperties":{"at":5}}'],
    ]);
    for (const { method, headers } of server.received) {
      expect(headers.authorization).toBe(`Bearer ${API_KEY}`);
      expect(headers.accept).toBe('application/json');
      expect(headers['content-type']).toBe(method === 'GET' ? undefined : 'application/json');
    }
    expect(keys().map((key) => typeof key)).toEqual([
      'undefined',
      'string',
      'undefined',
      'undefined',
      'undefined',
      'undefined',
      'undefined',
      'string',
    ]);
  });

  test('no redirect is followed, so the key goes nowhere else', async () => {
    const elsewhere = await startScriptedServer();
    server.script(answer(307, '', { location: `${elsewhere.url}/v1/transactional` }));
    const error = await failureOf(connect().transactional.send(MAIL));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain(`redirects to ${elsewhere.url}/v1/transactional (307)`);
    expect(elsewhere.received).toHaveLength(0);
    await elsewhere.close();
  });

  test('a custom property may be called success', async () => {
    server.script(answer(200, { id: 'c', email: 'ada@example.com', success: false }));
    expect(await connect().contacts.get('ada@example.com')).toMatchObject({ success: false });
  });

  test('withResponse also gives the HTTP response', async () => {
    server.script(answer(200, { success: true }, { 'x-request-id': 'r-1' }));
    const { data, response } = await connect().transactional.send(MAIL).withResponse();
    expect(response).toMatchObject({
      status: 200,
      body: '{"success":true}',
      requestId: 'r-1',
      attempts: 1,
      idempotencyKey: data.idempotencyKey,
    });
    expect(response.headers['x-request-id']).toBe('r-1');
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
  test('all attempts of a call have one key', async () => {
    server.script(cut, answer(500), answer(429), OK);
    const result = await connect().transactional.send(MAIL);
    expect(result).toMatchObject({ success: true, deduplicated: false, attempts: 4 });
    expect(new Set(keys())).toEqual(new Set([result.idempotencyKey]));
    expect(result.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('two calls have different keys', async () => {
    const audience = connect();
    await audience.transactional.send(MAIL);
    await audience.transactional.send(MAIL);
    expect(new Set(keys()).size).toBe(2);
  });

  test("a caller's key is sent for emails and events", async () => {
    await connect().events.send({ email: 'a@b.c', eventName: 'e' }, { idempotencyKey: 'order-17' });
    expect(keys()).toEqual(['order-17']);
  });

  test('the longest allowed key is sent unchanged', async () => {
    await connect().transactional.send(MAIL, { idempotencyKey: 'k'.repeat(100) });
    expect(keys()).toEqual(['k'.repeat(100)]);
  });

  test.each([
    ['', 'must not be empty'],
    ['k'.repeat(101), 'at most 100 characters'],
    ['line\nbreak', 'printable ASCII'],
    ['schlüssel', 'printable ASCII'],
    [' padded', 'start or end with a space'],
    ['padded ', 'start or end with a space'],
  ])('key %j is refused, and nothing is sent', async (idempotencyKey, why) => {
    const error = await failureOf(connect().transactional.send(MAIL, { idempotencyKey }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.message).toContain(
      "Could not send email 'welcome' to ada@example.com: 'idempotencyKey' must",
    );
    expect(error.message).toContain(why);
    expect(server.received).toHaveLength(0);
  });

  test('409 to a first attempt is a conflict', async () => {
    server.script(answer(409, { message: 'key was used' }));
    for (const options of [
      {},
      { idempotencyKey: 'mine' },
      { idempotencyKey: 'ours', earlierRequest: false },
    ]) {
      const error = await failureOf(connect().transactional.send(MAIL, options));
      expect(error).toBeInstanceOf(ConflictError);
      expect(error).toMatchObject({ code: 'conflict', status: 409, attempts: 1 });
    }
  });

  test.each([
    'email and userId belong to two different contacts',
    'recipient is suppressed',
    'The earlier request with this key failed',
    'Email is already used by another contact',
    'Duplicate userId',
    'An import is in progress for this contact',
  ])('a 409 for another reason never counts as sent before: %s', async (message) => {
    for (const options of [{}, { idempotencyKey: 'run-1-item-1' }]) {
      server.script(answer(503), answer(409, { message }), answer(409, { message }));
      const error = await failureOf(connect().transactional.send(MAIL, options));
      expect(error).toBeInstanceOf(ConflictError);
      expect(error).toMatchObject({ unclear: true, attempts: 2 });
      expect(error.message).toContain(message);
      server.script();
    }
  });

  test.each(['email and userId belong to two contacts', '{"success":false,"code":"contact_conflict"}'])(
    'a 409 without a message never counts as sent before: %s',
    async (body) => {
      server.script(answer(503), answer(409, body));
      const error = await failureOf(connect({ bodySnippets: false }).transactional.send(MAIL));
      expect(error).toMatchObject({ code: 'conflict', unclear: true });
      expect(error.message).toContain('the service reports a conflict (409)');
    },
  );

  test('a 409 with a Retry-After of hours ends the call', async () => {
    server.script(answer(503), answer(409, { message: 'in progress' }, { 'retry-after': '10800' }));
    const error = await failureOf(connect({ deadlineMs: 86_400_000 }).transactional.send(MAIL));
    expect(error).toMatchObject({ code: 'conflict', unclear: true, attempts: 2 });
  });

  test('409 to an update is a conflict after any number of attempts', async () => {
    server.script(cut, answer(409));
    expect(await failureOf(connect().contacts.update('u', { firstName: 'A' }))).toBeInstanceOf(ConflictError);
  });
});

describe('retries', () => {
  test('waits double, with full jitter, and the result has their sum', async () => {
    server.script(answer(503), answer(503), answer(503), OK);
    const result = await connect().contacts.update('u', { firstName: 'A' });
    expect(runtime.sleeps).toEqual([125, 250, 500]);
    expect(result).toMatchObject({ attempts: 4, totalRetryDelayMs: 875 });
  });

  test('gives up after maxRetries and says how often it tried', async () => {
    server.script(answer(503));
    const error = await failureOf(connect({ maxRetries: 2 }).transactional.send(MAIL));
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ code: 'server', status: 503, attempts: 3, totalRetryDelayMs: 375 });
    expect(error.message).toContain('after 3 attempts');
    expect(server.received).toHaveLength(3);
  });

  test('maxRetries 0 tries once; a call can set its own', async () => {
    server.script(answer(503));
    expect(await failureOf(connect({ maxRetries: 0 }).transactional.send(MAIL))).toMatchObject({
      attempts: 1,
    });
    const error = await failureOf(connect({ maxRetries: 0 }).transactional.send(MAIL, { maxRetries: 1 }));
    expect(error).toMatchObject({ attempts: 2 });
  });

  test('tries 6 times by default', async () => {
    server.script(answer(503));
    expect(await failureOf(connect().transactional.send(MAIL))).toMatchObject({ attempts: 6 });
  });

  test.each(['2', new Date(Date.parse('2026-01-01T00:00:02Z')).toUTCString()])(
    'no retry begins before Retry-After %j',
    async (retryAfter) => {
      const date = new Date(runtime.now()).toUTCString();
      server.script(answer(429, '', { 'retry-after': retryAfter, date }), OK);
      await connect().transactional.send(MAIL);
      expect(runtime.sleeps[0]).toBe(2_000);
    },
  );

  test.each([-3_600_000, 120_000])(
    "a date in Retry-After uses the service's clock, which is %d ms ahead",
    async (aheadMs) => {
      const now = runtime.now() + aheadMs;
      const [date, retryAfter] = [now, now + 2_000].map((time) => new Date(time).toUTCString());
      server.script(answer(429, '', { 'retry-after': String(retryAfter), date: String(date) }), OK);
      await connect().transactional.send(MAIL);
      expect(runtime.sleeps[0]).toBe(2_000);
    },
  );

  test.each([
    ['61', 'in 61 s'],
    ['600', 'in 10 min'],
    ['7201', 'in 3 h'],
    ['9007199254741', 'later'],
  ])('the message says a wait of %s s in words: %s', async (retryAfter, words) => {
    server.script(answer(429, '', { 'retry-after': retryAfter }));
    const error = await failureOf(connect().contacts.get('u'));
    expect(error.message).toContain(`Try again ${words}, or send fewer requests per second.`);
  });

  test.each([429, 503])(
    'Retry-After over a minute ends the call with %d, and the error has it',
    async (status) => {
      server.script(answer(status, '', { 'retry-after': '61' }));
      const error = await failureOf(connect().transactional.send(MAIL));
      expect(error).toMatchObject({ status, attempts: 1, retryAfterMs: 61_000 });
      expect(error).toBeInstanceOf(status === 429 ? RateLimitError : ServerError);
      expect(error.message).toMatch(/(in|wait) 61 s/);
      expect(runtime.sleeps).toEqual([]);
    },
  );

  test('Retry-After of exactly a minute is obeyed', async () => {
    server.script(answer(503, '', { 'retry-after': '60' }), OK);
    expect(await connect().transactional.send(MAIL)).toMatchObject({
      attempts: 2,
      totalRetryDelayMs: 60_000,
    });
  });

  test('a wait that would pass the deadline is not begun', async () => {
    server.script(answer(429, '', { 'retry-after': '10' }));
    const limited = await failureOf(connect().transactional.send(MAIL, { deadlineMs: 10_000 }));
    expect(limited).toBeInstanceOf(RateLimitError);
    expect(limited).toMatchObject({ attempts: 1, retryAfterMs: 10_000 });
    server.script(cut);
    const unclear = await failureOf(connect({ deadlineMs: 100 }).transactional.send(MAIL));
    expect(unclear).toBeInstanceOf(TimeoutError);
    expect(unclear.message).toContain('it did not succeed within 100 ms');
    expect(runtime.sleeps).toEqual([]);
  });

  test('a request that the service refused is not repeated', async () => {
    for (const status of [400, 401, 403, 404, 409, 422]) {
      server.received.length = 0;
      server.script(answer(status));
      expect(await failureOf(connect().contacts.update('u', { firstName: 'A' }))).toMatchObject({
        status,
        attempts: 1,
      });
      expect(server.received).toHaveLength(1);
    }
  });

  test('a stale kept-alive connection is replayed at once, without a retry', async () => {
    const audience = connect({ maxRetries: 0 });
    await audience.transactional.send(MAIL);
    server.script(cut, OK);
    const result = await audience.transactional.send(MAIL);
    expect(result).toMatchObject({ attempts: 2, totalRetryDelayMs: 0 });
    expect(runtime.sleeps).toEqual([]);
    expect(keys()[1]).toBe(keys()[2]);
  });

  test('a stale connection is replayed once only', async () => {
    const audience = connect({ maxRetries: 0 });
    await Promise.all([
      audience.subscriptionGroups.list().catch(() => []),
      audience.transactional.send(MAIL),
    ]);
    server.received.length = 0;
    server.script(cut);
    expect(await failureOf(audience.transactional.send(MAIL))).toMatchObject({
      code: 'network',
      attempts: 2,
    });
    expect(server.received).toHaveLength(2);
  });

  test('an attempt that takes too long ends in a TimeoutError', async () => {
    server.script(hang);
    const error = await failureOf(connect({ timeoutMs: 20, maxRetries: 1 }).contacts.get('u'));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'timeout', attempts: 2 });
    expect(error.message).toContain('within 20 ms after 2 attempts');
  });

  test('a body that never ends is a time-out too', async () => {
    server.script((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
    });
    expect(await failureOf(connect({ timeoutMs: 20, maxRetries: 0 }).contacts.get('u'))).toBeInstanceOf(
      TimeoutError,
    );
  });

  test('when nothing listens, the error names the address and what to check', async () => {
    const closed = await startScriptedServer();
    await closed.close();
    const error = await failureOf(connect({ baseUrl: closed.url, maxRetries: 1 }).contacts.get('u'));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code: 'network', networkCode: 'ECONNREFUSED', attempts: 2 });
    expect(error.message).toBe(
      `Could not read contact 'u': nothing listens at ${closed.url} (ECONNREFUSED) after 2 attempts. Check that the service runs and that the base URL is right.`,
    );
  });
});

describe('abort', () => {
  test('before anything was sent', async () => {
    const error = await failureOf(connect().contacts.get('u', { signal: AbortSignal.abort('enough') }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: 'aborted', attempts: 0, cause: 'enough' });
    expect(error.message).toBe("Could not read contact 'u': the call was aborted. Nothing was sent.");
    expect(server.received).toHaveLength(0);
  });

  test('in the middle of an attempt', async () => {
    const controller = new AbortController();
    server.script(() => controller.abort('enough'));
    const error = await failureOf(
      connect().contacts.update('u', { firstName: 'A' }, { signal: controller.signal }),
    );
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ attempts: 1, cause: 'enough', unclear: true });
    expect(error.message).toMatch(/^May have failed to update contact 'u': the call was aborted/);
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
    expect(error.message).not.toContain('not clear');
  });

  test('in the middle of a wait between attempts, at once', async () => {
    const controller = new AbortController();
    server.script(answer(503, '', { 'retry-after': '50' }));
    const client = connect({
      runtime: {
        ...runtime,
        sleep: (_milliseconds, signal) => {
          controller.abort('enough');
          expect(signal?.aborted).toBe(true);
          return Promise.reject(new Error('woken up'));
        },
      },
    });
    const error = await failureOf(client.contacts.get('u', { signal: controller.signal }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(server.received).toHaveLength(1);
  });

  test("a failure of the runtime's sleep is not reported as an abort", async () => {
    server.script(answer(503));
    const client = connect({
      runtime: { ...runtime, sleep: () => Promise.reject(new RangeError('no timer')) },
    });
    await expect(client.contacts.get('u')).rejects.toThrow(RangeError);
  });
});

describe('errors by status', () => {
  test.each([
    [400, InvalidRequestError, 'invalid_request', 'refuses the request (400)'],
    [401, AuthenticationError, 'authentication', 'does not accept the API key (401)'],
    [403, PermissionError, 'permission', 'is not allowed to do this (403)'],
    [404, NotFoundError, 'not_found', 'not found (404)'],
    [409, ConflictError, 'conflict', 'reports a conflict (409)'],
    [422, InvalidRequestError, 'invalid_request', 'refuses the request (422)'],
    [429, RateLimitError, 'rate_limit', 'too many requests (429)'],
    [500, ServerError, 'server', 'the service failed (500)'],
    [304, UnexpectedResponseError, 'unexpected_response', 'redirects elsewhere (304)'],
  ])('%d', async (status, errorClass, code, words) => {
    server.script(answer(status, { success: false, message: 'Because.' }, { 'x-request-id': 'r-7' }));
    const error = await failureOf(
      connect({ maxRetries: 0, deadlineMs: 100 }).contacts.get('ada@example.com'),
    );
    expect(error).toBeInstanceOf(errorClass);
    expect(error.name).toBe(errorClass.name);
    expect(error).toMatchObject({
      code,
      status,
      method: 'GET',
      path: '/v1/contacts/ada%40example.com',
      requestId: 'r-7',
    });
    expect(error.message).toMatch(/^Could not read contact 'ada@example.com': /);
    expect(error.message).toContain(words);
    if (status >= 400) expect(error.message).toContain('The service says: "Because".');
  });

  test('407 is the proxy, not the service', async () => {
    server.script(answer(407));
    expect((await failureOf(connect().subscriptionGroups.list())).message).toBe(
      'Could not list subscription groups: a proxy asks for a login (407). Put it into HTTPS_PROXY.',
    );
  });

  test('409 for a key of the caller names the key; it may belong to another message', async () => {
    server.script(answer(409));
    const sent = connect().transactional.send(
      { transactionalId: 'welcome', email: 'ada@example.com' },
      { idempotencyKey: 'order-7' },
    );
    expect((await failureOf(sent)).message).toMatch(
      /: the service reports a conflict \(409\)\. An earlier request with this key may have been carried out: look it up\./,
    );
  });

  test.each<[string, Reaction, string]>([
    [
      'a web page',
      answer(200, '<html>Sign in</html>', { 'content-type': 'text/html' }),
      'it is a web page, not JSON',
    ],
    ['nothing', answer(200, ''), 'its body is empty'],
    ['blanks', answer(200, ' \n'), 'its body is empty'],
    ['JSON that was cut off', answer(200, '{"id":"c'), 'its body is not JSON, or was cut off'],
    ['a contact without id', answer(200, { email: 'a@b.c' }), "does not match the API: 'id' is missing"],
    ['a list', answer(200, []), 'its body does not match the API'],
    ['204', answer(204), 'responded 204, but its body is empty'],
  ])('200 with %s is an error that says what came', async (_what, reaction, words) => {
    server.script(reaction);
    const error = await failureOf(connect().contacts.get('u'));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain(words);
    expect(error.attempts).toBe(1);
  });

  test('200 with success: false is a rejection, with the reason', async () => {
    server.script(answer(200, { success: false, error: { reason: 'over quota' } }));
    const error = await failureOf(connect().transactional.send(MAIL));
    expect(error).toBeInstanceOf(RejectedError);
    expect(error.message).toContain('says that the request failed. The service says: "over quota".');
  });

  test.each([
    [{ message: 'm' }, 'm'],
    [{ error: 'e' }, 'e'],
    [{ error: { message: 'em' } }, 'em'],
    [{ errors: [{ detail: 'd' }] }, 'd'],
    [{ message: '', title: 't' }, 't'],
    ['just text', undefined],
    [{ a: { b: 1 } }, undefined],
    [{ error: { error: { error: { error: 'too deep' } } } }, undefined],
  ])('the reason is found in %j', async (body, reason) => {
    server.script(answer(400, JSON.stringify(body)));
    const { message } = await failureOf(connect().contacts.get('u'));
    if (reason === undefined && typeof body !== 'string') expect(message).not.toContain('The service says');
    else expect(message).toContain(`The service says: "${reason ?? 'just text'}"`);
  });

  test('an error as JSON is plain data without headers', async () => {
    server.script(answer(400, { message: 'no' }, { 'x-secret': 'hidden-header' }));
    const error = await failureOf(connect().contacts.get('u'));
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'InvalidRequestError',
      code: 'invalid_request',
      status: 400,
      message: error.message,
      bodySnippet: '{"message":"no"}',
    });
    expect(inspect(error, { depth: 10 })).not.toContain('hidden-header');
  });

  test('a long body is cut, and snippets can be switched off', async () => {
    server.script(answer(400, { message: 'x'.repeat(2_000) }));
    const error = await failureOf(connect().contacts.get('u'));
    expect(error.bodySnippet).toHaveLength(501);
    const silent = await failureOf(connect({ bodySnippets: false }).contacts.get('u'));
    expect(silent.bodySnippet).toBeUndefined();
    expect(silent.message).not.toContain('xxx');
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
    ['401', answer(401)],
    ['a cut connection', cut],
    ['500', answer(500, `Bearer ${API_KEY}`)],
    ['a redirect', answer(302, '', { location: `https://example.com/?key=${API_KEY}` })],
    ['rejected', answer(200, { success: false, message: API_KEY })],
    ['not of the contract', answer(200, { wrong: API_KEY })],
    ['over the edge of the snippet', answer(400, 'y'.repeat(490) + API_KEY)],
  ])('the key is in no error: %s', async (_what, reaction) => {
    server.script(reaction);
    const text = everyText(await failureOf(connect({ maxRetries: 1 }).contacts.get('u')));
    expect(text).not.toContain(API_KEY);
    expect(text).not.toContain(API_KEY.slice(0, 12));
  });

  test('a long key that is echoed many times is in no error', async () => {
    const apiKey = Array.from({ length: 300 }, (_, index) => `k${index}`).join('-');
    server.script(answer(400, Array.from({ length: 9 }, () => apiKey).join(' ')));
    const error = await failureOf(connect({ apiKey }).contacts.get('u'));
    expect(everyText(error)).not.toContain(apiKey.slice(0, 12));
  });

  test('a key given as an identifier is in no error of the check', async () => {
    const error = await failureOf(connect().contacts.update(API_KEY, { email: 'no' }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(everyText(error)).not.toContain(API_KEY);
  });

  test('the key is not in the client, nor in a result', async () => {
    const audience = connect();
    const result = await audience.transactional.send(MAIL);
    expect(everyText(audience)).not.toContain(API_KEY);
    expect(everyText(result)).not.toContain(API_KEY);
  });

  test.each(['', 'with space', 'line\nbreak', 'schlüssel'])(
    'key %j is refused without being quoted',
    (apiKey) => {
      const make = () => connect({ apiKey });
      expect(make).toThrow(ValidationError);
      expect(make).toThrow("The client cannot be made: 'apiKey'");
      if (apiKey !== '') expect(make).not.toThrow(apiKey);
    },
  );
});

describe('creating a property, which has no key', () => {
  const property = { name: 'teamSize', type: 'number' } as const;
  const listed = answer(200, [{ key: 'teamSize', label: 'Team size', type: 'number' }]);
  const calls = () => server.received.map(({ method }) => method);

  test.each<[string, Reaction]>([
    ['a cut', cut],
    ['500', answer(500)],
    ['503', answer(503)],
    ['408', answer(408)],
  ])('after %s the list is read, and a listed property is not created twice', async (_what, failure) => {
    server.script(failure, listed);
    expect(await connect().properties.create(property)).toMatchObject({
      success: true,
      deduplicated: true,
      attempts: 1,
    });
    expect(calls()).toEqual(['POST', 'GET']);
  });

  test('a property that is not listed is unclear, and is not created twice', async () => {
    server.script(cut, answer(200, []));
    const error = await failureOf(connect().properties.create(property));
    expect(error).toMatchObject({ code: 'network', unclear: true });
    expect(calls()).toEqual(['POST', 'GET']);
  });

  test('if the list cannot be read, the first error is thrown', async () => {
    server.script(answer(500), answer(401));
    const error = await failureOf(connect().properties.create(property));
    expect(error).toMatchObject({ code: 'server', unclear: true });
  });

  test('a conflict at the first attempt is a ConflictError', async () => {
    server.script(answer(409), listed);
    expect(await failureOf(connect().properties.create(property))).toBeInstanceOf(ConflictError);
    expect(calls()).toEqual(['POST']);
  });

  test('429 changed nothing, so the call is retried without reading the list', async () => {
    server.script(answer(429, '', { 'retry-after': '1' }), OK);
    expect(await connect().properties.create(property)).toMatchObject({ deduplicated: false, attempts: 2 });
    expect(calls()).toEqual(['POST', 'POST']);
  });

  test('an existing property of another type is a conflict that names both types', async () => {
    server.script(cut, answer(200, [{ key: 'teamSize', label: null, type: 'string' }]));
    const error = await failureOf(connect().properties.create(property));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error.message).toContain('exists with type string');
  });

  test.each(['First Name', 'email', 'createdAt', 'id', 'team_size', '', '1st'])(
    'name %j is refused before anything is sent',
    async (name) => {
      const error = await failureOf(connect().properties.create({ name, type: 'string' }));
      expect(error).toBeInstanceOf(ValidationError);
      expect(error.message).toContain(`'${name}' is `);
      expect(server.received).toHaveLength(0);
    },
  );
});

describe('a request that the interface forbids is not sent', () => {
  test('one error names every wrong field', async () => {
    const changes: Record<string, string | boolean | number> = {
      subscribed: true,
      'First Name': 'Ada',
      id: 'x',
      createdAt: 5,
      email: 'not an address',
    };
    const error = await failureOf(connect().contacts.update('u', changes));
    expect(error).toBeInstanceOf(ValidationError);
    if (!(error instanceof ValidationError)) return;
    expect(error.issues.map(({ path }) => path.join('.')).sort()).toEqual([
      'First Name',
      'createdAt',
      'email',
      'id',
      'subscribed',
    ]);
    expect(error.message).toMatch(/^Could not update contact 'u': /);
    expect(error).toMatchObject({ code: 'validation', attempts: 0 });
    expect(server.received).toHaveLength(0);
  });

  test.each(['', '.', '..', 'properties', '\ud800'])('identifier %j is refused', async (identifier) => {
    expect(await failureOf(connect().contacts.get(identifier))).toBeInstanceOf(ValidationError);
    expect(await failureOf(connect().contacts.update(identifier, {}))).toBeInstanceOf(ValidationError);
    expect(server.received).toHaveLength(0);
  });

  test.each([
    [{ transactionalId: 'x' }, "'email' is missing"],
    [{ transactionalId: 'x', userId: 'u' }, "'email' is missing"],
    [{ transactionalId: '', email: 'a@b.c' }, "'transactionalId' must not be empty"],
    [
      { transactionalId: 'x', email: 'a@b.c', firstName: 'A' },
      "'firstName' is kept only when 'addToAudience'",
    ],
    [{ transactionalId: 'x', email: 'a b@c' }, "'email' must be an email address"],
  ])('email %j', async (message, words) => {
    // @ts-expect-error: the compiler sees it too
    const error = await failureOf(connect().transactional.send(message));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.message).toContain(words);
  });

  test('a wrong value is reported once, and not as missing', async () => {
    const error = await failureOf(connect().transactional.send({ transactionalId: 'x', email: 'a b@c' }));
    expect(error.message).toBe(
      "Could not send email 'x' to a b@c: 'email' must be an email address, such as ada@example.com, and nothing else.",
    );
  });

  test.each([
    ['ada@example.com\u200b', 'U+200B'],
    ['\u202eada@example.com', 'U+202E'],
    ['ada@exa\u00admple.com', 'U+00AD'],
    ['ada\u0000@example.com', 'U+0000'],
  ])('an invisible character in an address is named: %j', async (email, character) => {
    const error = await failureOf(connect().transactional.send({ transactionalId: 'x', email }));
    expect(error.message).toContain(
      `'email' must be an email address without the invisible character ${character}: type it in by hand`,
    );
  });

  test('an undefined option is ignored', async () => {
    const { read } = { read: { email: 'x', transactionalId: 'x' } };
    // @ts-expect-error: the compiler sees it too
    const error = await failureOf(connect().transactional.send({ ...read }, { trace: undefined }));
    expect(error.message).toContain("'email' must be an email address");
  });

  test('an unknown option is refused', async () => {
    const client = connect();
    const email = { transactionalId: 'x', email: 'ada@example.com' };
    // @ts-expect-error: the compiler sees it too
    const error = await failureOf(client.transactional.send(email, { idempotencyKeys: 'order-1' }));
    expect(error.message).toMatch(
      /'idempotencyKeys' is an unknown field \(did you mean 'idempotencyKey'\?\)/,
    );
    const alone = await failureOf(client.transactional.send(email, { earlierRequest: true }));
    expect(alone.message).toContain("'idempotencyKey' is missing");
  });

  test('a wrong value causes no second issue', async () => {
    const message: unknown = { transactionalId: 'x', userId: 'u', addToAudience: 'yes', firstName: 'A' };
    // @ts-expect-error: not a text
    const send = connect().transactional.send(message);
    expect((await failureOf(send)).message).toMatch(/: 'addToAudience' must be true or false, not text\.$/);
    const event = connect().events.send({ userId: '', eventName: 'e' });
    expect((await failureOf(event)).message).toMatch(/: 'userId' must not be empty\.$/);
  });

  test('userId alone names the recipient where addToAudience is set', async () => {
    await connect().transactional.send({ transactionalId: 'x', userId: 'u', addToAudience: true });
    expect(server.received).toHaveLength(1);
  });

  test('an event needs an email or a userId', async () => {
    // @ts-expect-error: the compiler sees it too
    const error = await failureOf(connect().events.send({ eventName: 'e' }));
    expect(error.message).toContain("'email' is missing: give the 'email' of the contact");
  });

  test.each([9, 51, 10.5, Number.NaN])('perPage %d is refused', async (perPage) => {
    expect(await failureOf(connect().transactional.list({ perPage }))).toBeInstanceOf(ValidationError);
  });

  test('an impossible limit is refused when the client is made', () => {
    const wrong = {
      timeoutMs: 0,
      deadlineMs: -1,
      requestsPerSecond: Number.NaN,
      maxRetries: 1.5,
      concurrency: 0,
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect(() => connect({ [name]: value })).toThrow(`'${name}' must be`);
    }
  });
});
