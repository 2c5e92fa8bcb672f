import { startSandbox, type NewFault, type RunningSandbox } from 'audience-sandbox';
import { call, forFile, refused, text } from './call.js';

let sandbox: RunningSandbox;
const { groups, update, event, welcome, control, ...calls } = forFile(
  async () => (sandbox = await startSandbox()),
);

const set = (fault: NewFault) => sandbox.faults.next(fault);
const send = (key: string, transactionalId = 'design-welcome') =>
  calls.send({ email: 'a@example.com', transactionalId }, key);
const sentTo = async () => (await sandbox.emails()).map((email) => email.to);

/** The statuses of calls one after the other; 0 for a connection that was cut. */
async function statuses(count: number, act: () => Promise<{ status: number }>): Promise<number[]> {
  const all: number[] = [];
  for (let number = 0; number < count; number += 1)
    all.push(
      await act().then(
        ({ status }) => status,
        () => 0,
      ),
    );
  return all;
}

describe('which calls', () => {
  test.each<[NewFault, number[]]>([
    [{ respond: { status: 500 } }, [500, 200, 200, 200, 200, 200]],
    [{ times: 2, cut: true }, [0, 0, 200, 200, 200, 200]],
    [{ every: 3, respond: { status: 500 } }, [200, 200, 500, 200, 200, 500]],
    [{ every: 2, times: 1, respond: { status: 500 } }, [200, 500, 200, 200, 200, 200]],
    [{ every: 2, times: 2, respond: { status: 500 } }, [200, 500, 200, 500, 200, 200]],
    [{ route: 'sendEvent', every: 1, cut: true }, [200, 200, 200, 200, 200, 200]],
    [{ route: 'listSubscriptionGroups', cut: true }, [0, 200, 200, 200, 200, 200]],
  ])('%j', async (fault, expected) => {
    set(fault);
    expect(await statuses(6, groups)).toEqual(expected);
  });

  test('those that name an address or userId, in the body or the path', async () => {
    set({ address: 'Bounce@example.com', every: 1, respond: { status: 422 } });
    for (const answer of [
      await welcome('bounce@EXAMPLE.com'),
      await event({ email: 'bounce@example.com', eventName: 'e' }),
      await event({ userId: 'bounce@example.com', eventName: 'e' }),
      await update('bounce@example.com', { firstName: 'A' }),
    ])
      expect(answer.status).toBe(422);
    const others = [await send('k'), await update('ada@example.com', {}), await groups()];
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    const raw = await call(sandbox, 'POST', '/v1/events/send', { raw: 'no JSON' });
    expect(raw.status).toBe(400);
    expect(await sentTo()).toEqual(['a@example.com']);
  });

  test('the first that was set hits, and the next one after it', async () => {
    set({ times: 2, delayMs: 1 });
    set({ respond: { status: 500 } });
    expect(await statuses(4, groups)).toEqual([200, 200, 500, 200]);
  });

  test('an address wins over an endpoint, and an endpoint over any call, in whatever order they are set', async () => {
    set({ every: 1, respond: { status: 500 } });
    set({ route: 'updateContact', every: 1, respond: { status: 501 } });
    set({ address: 'ada@example.com', respond: { status: 502 } });
    const put = () => update('ada@example.com', {});
    expect([...(await statuses(2, put)), ...(await statuses(1, groups))]).toEqual([502, 501, 500]);
    expect(sandbox.faults.list()).toMatchObject([
      { seen: 1, hits: 1 },
      { route: 'updateContact', seen: 1, hits: 1 },
    ]);
  });
});

describe('what happens', () => {
  const error = refused(/A fault was set/);
  test.each<[NewFault['respond'], status: number, mediaType: string | null, body: unknown]>([
    [{ status: 429, headers: { 'retry-AFTER': 7 } }, 429, 'application/json; charset=utf-8', error],
    [{ status: 409, body: null }, 409, 'application/json; charset=utf-8', null],
    [{ status: 524, body: '<h1>524</h1>' }, 524, 'text/plain; charset=utf-8', '<h1>524</h1>'],
    [{ status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>' }, 502, 'text/html', '<h1>'],
    [{ status: 204, body: { success: true } }, 204, null, ''],
    [{ status: 302, headers: { Location: '/elsewhere' } }, 302, null, ''],
  ])('respond: %j', async (respond, status, mediaType, body) => {
    set({ respond: respond ?? { status: 200 } });
    const response = await fetch(`${sandbox.url}/v1/subscription-groups`, {
      headers: { Authorization: `Bearer ${sandbox.apiKey}` },
      redirect: 'manual',
    });
    const received = await response.text();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(response.headers.has('content-length')).toBe(status !== 204);
    expect(mediaType?.startsWith('application/json') === true ? JSON.parse(received) : received).toEqual(
      body,
    );
    for (const [name, value] of Object.entries(respond?.headers ?? {}))
      expect(response.headers.get(name)).toBe(String(value));
    expect(sandbox.requests()).toMatchObject([{ status, applied: false, fault: text(/status/) }]);
  });

  test('hang never responds', async () => {
    set({ hang: true });
    const abort = new AbortController();
    const ended = expect(
      call(sandbox, 'GET', '/v1/subscription-groups', { signal: abort.signal }),
    ).rejects.toThrow();
    while (sandbox.requests().length < 1) await new Promise(setImmediate);
    expect(sandbox.requests()).toMatchObject([{ status: null, fault: text(/no response/) }]);
    abort.abort();
    await ended;
  });
});

describe('when', () => {
  const EFFECTS = [
    { cut: true },
    { respond: { status: 502 } },
    { respond: { status: 200, body: '' } },
  ] as const;

  test.each([
    ['before', 0],
    ['during', 1],
    ['after', 1],
  ] as const)('%s the call is carried out: %d email', async (when, emails) => {
    for (const effect of EFFECTS) {
      set({ ...effect, when });
      await send('same').catch(() => undefined);
      if (when !== 'before') await sandbox.waitForEmail();
    }
    expect(await sentTo()).toHaveLength(emails);
    expect(sandbox.requests().map(({ status }) => status)).toEqual([null, 502, 200]);
    expect(sandbox.requests({ applied: true })).toHaveLength(emails);
    expect((await send('same')).status).toBe(200);
    expect(await sentTo()).toHaveLength(1);
  });

  test('before: the key of a delayed call is in use until it ends', async () => {
    sandbox.setProfile({ duplicates: 'refuse', usedKeyStatus: 422 });
    set({ delayMs: 500, respond: { status: 503 } });
    const lost = send('k');
    while (sandbox.faults.list().length > 0) await control('GET', '/status');
    expect(await send('k')).toMatchObject({ status: 409, body: refused(/in progress/) });
    expect((await send('l')).status).toBe(200);
    expect((await lost).status).toBe(503);
    expect((await send('k')).status).toBe(200);
  });

  test('during: it responds at once, while the call goes on and its key is in use', async () => {
    set({ respond: { status: 502 }, when: 'during', delayMs: 500 });
    expect(await send('k')).toMatchObject({ status: 502, body: refused(/A fault was set/) });
    expect(await send('k')).toMatchObject({ status: 409, body: refused(/in progress/) });
    expect(await sentTo()).toEqual([]);
    await sandbox.waitForEmail({ key: 'k' });
    expect((await send('k')).status).toBe(200);
    expect(await sentTo()).toEqual(['a@example.com']);
    expect(sandbox.requests({ applied: true })).toMatchObject([
      { status: 502, fault: text(/during/), effects: { emails: [(await sandbox.emails())[0]?.id] } },
    ]);
  });

  test('after: a call that is refused loses its response too', async () => {
    await send('used');
    for (const refusedCall of [
      () => send('k', 'no-such-design'),
      () => event({ eventName: 1 }),
      () => send('used', 'design-receipt'),
    ]) {
      set({ cut: true, when: 'after' });
      expect(await statuses(1, refusedCall)).toEqual([0]);
    }
    expect(sandbox.requests({ applied: true })).toHaveLength(1);
  });
});

test('faults are listed and removed; a wrong one is refused', async () => {
  const wrong = await control('POST', '/faults', {});
  expect(wrong).toMatchObject({ status: 400, body: refused(/must have one of respond/) });
  await control('POST', '/faults', { respond: { status: 500 } });
  await control('POST', '/faults', { hang: true });
  const { id } = sandbox.faults.list()[0] ?? { id: '' };
  await control('DELETE', `/faults/${id}`);
  expect(sandbox.faults.list()).toMatchObject([{ hang: true }]);
  await control('DELETE', '/faults');
  expect((await groups()).status).toBe(200);
});
