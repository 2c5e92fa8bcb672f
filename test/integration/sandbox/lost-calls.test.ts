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

test('a call that is late and then lost holds its key until it ends', async () => {
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

test('and by a connection that is cut', async () => {
  sandbox.faults.next({ cut: true, when: 'after' });
  await expect(send('k', 'no-such-design')).rejects.toThrow();
  expect(sandbox.emails()).toEqual([]);
});
