import { startSandbox } from 'audience-sandbox';
import type { NewFault, RunningSandbox } from 'audience-sandbox';
import { call, refused } from './call.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => {
  sandbox.reset();
});
afterAll(() => sandbox.close());

const send = (key: string, transactionalId = 'design-welcome') =>
  call(sandbox, 'POST', '/v1/transactional', { body: { email: 'a@example.com', transactionalId }, key });

test('the key of a delayed and then lost call is in use until it ends', async () => {
  sandbox.faults.next({ latencyMs: 500, status: 503 });
  const lost = send('k');
  while (sandbox.faults.list().length > 0) await call(sandbox, 'GET', '/__sandbox/status');
  expect(await send('k')).toMatchObject({ status: 409, body: refused(/still in progress/) });
  expect((await send('l')).status).toBe(200);
  expect((await lost).status).toBe(503);
  expect((await send('k')).status).toBe(200);
});

test.each<[NewFault, unknown]>([
  [{ status: 503 }, { status: 503, body: refused(/A fault was set/) }],
  [{ garbage: true }, { status: 200, body: expect.stringContaining('It works!') as unknown }],
])('a call that the account forbids loses its response too: %j', async (fault, expected) => {
  sandbox.faults.next({ ...fault, when: 'after' });
  expect(await send('k', 'no-such-design')).toMatchObject(Object(expected));
  expect(sandbox.requests()).toMatchObject([{ applied: false }]);
  // As does one whose body is wrong, and one whose key was used.
  sandbox.faults.next({ ...fault, when: 'after' });
  const wrong = await call(sandbox, 'POST', '/v1/events/send', { body: { eventName: 1 } });
  expect(wrong).toMatchObject(Object(expected));
  await send('used');
  sandbox.faults.next({ ...fault, when: 'after' });
  expect(await send('used', 'design-receipt')).toMatchObject(Object(expected));
});

test('a call that the account forbids loses its connection too', async () => {
  sandbox.faults.next({ cut: true, when: 'after' });
  await expect(send('k', 'no-such-design')).rejects.toThrow();
  expect(sandbox.emails()).toEqual([]);
});

describe('a gateway that gives up early', () => {
  const sentTo = () => sandbox.emails().map((email) => email.to);

  test('responds at once, while the call is carried out later and its key is in use', async () => {
    sandbox.faults.next({ status: 502, afterMs: 0, latencyMs: 500 });
    expect(await send('k')).toMatchObject({ status: 502, body: refused(/A fault was set/) });
    expect(await send('k')).toMatchObject({ status: 409, body: refused(/still in progress/) });
    expect(sentTo()).toEqual([]);
    await sandbox.waitForEmail({ key: 'k' });
    expect(sentTo()).toEqual(['a@example.com']);
    expect((await send('k')).headers.get('idempotent-replayed')).toBe('true');
    expect(sentTo()).toHaveLength(1);
    const { fault, status, applied, effects } = sandbox.requests({ applied: 'true' })[0] ?? {};
    expect({ fault, status, applied, effects }).toMatchObject({
      fault: '500 ms late, status 502 after 0 ms',
      status: 502,
      applied: true,
      effects: { emails: [sandbox.emails()[0]?.id] },
    });
  });

  test('can cut the connection', async () => {
    sandbox.faults.next({ cut: true, afterMs: 1, latencyMs: 50 });
    await expect(send('k')).rejects.toThrow();
    await sandbox.waitForEmail({ key: 'k' });
  });

  test('passes on an immediate refusal of the service', async () => {
    sandbox.faults.next({ status: 502, afterMs: 60_000, latencyMs: 60_000 });
    expect((await call(sandbox, 'POST', '/v1/transactional', { body: {} })).status).toBe(400);
  });

  test('can be combined with a call that is lost', async () => {
    sandbox.faults.next({ status: 504, afterMs: 0, latencyMs: 200, when: 'before' });
    expect((await send('k')).status).toBe(504);
    while ((await send('k')).status === 409);
    expect(sandbox.requests({ status: 504 })).toMatchObject([{ applied: false }]);
    expect(sentTo()).toHaveLength(1);
  });

  test.each<[NewFault, RegExp]>([
    [{ latencyMs: 10, afterMs: 5 }, /'afterMs' goes with status, cut, hang or garbage/],
    [{ status: 502, afterMs: 5 }, /'afterMs' must not be more than 'latencyMs'/],
    [{ status: 502, afterMs: 5, latencyMs: 4 }, /'afterMs' must not be more than 'latencyMs'/],
  ])('refuses %j', (fault, message) => {
    expect(() => sandbox.faults.next(fault)).toThrow(message);
  });
});
