import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { callsOf, refused } from './call.js';

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const { control, contact, update, welcome, signUp } = callsOf(() => sandbox);

async function everything() {
  return {
    seed: sandbox.export(),
    emails: await sandbox.emails(),
    events: await sandbox.events(),
    contacts: await sandbox.contacts(),
    requests: sandbox.requests(),
    faults: sandbox.faults.list(),
    profile: sandbox.profile(),
    status: (await control('GET', '/status')).body,
  };
}

test('a restore resets everything: mails, events, keys, log, clock, faults, limit, profile', async () => {
  await control('PUT', '/clock', { time: '2030-01-01T00:00:00.000Z', stopped: true });
  await welcome('ada@example.com', 'k');
  await signUp('new@example.com');
  sandbox.faults.next({ times: 5, respond: { status: 500 }, route: 'getContact' });
  await contact('ada@example.com');
  sandbox.setProfile({ unset: 'omitted', duplicates: 'refuse' });
  sandbox.limitRate({ requestsPerSecond: 50 });
  const before = await everything();
  const taken = await control('POST', '/snapshots', { name: 'before lunch' });
  expect(taken.body).toMatchObject({
    ...{ id: 'snapshot-1', name: 'before lunch', time: '2030-01-01T00:00:00.000Z' },
    ...{ emails: 2, events: 1, contacts: 3 },
  });

  await signUp('other@example.com');
  await control('DELETE', '/emails');
  await control('PUT', '/clock', { stopped: false });
  sandbox.reset();
  sandbox.load({});
  expect((await control('GET', '/snapshots')).body).toEqual([taken.body]);
  expect((await control('POST', '/snapshots/snapshot-1/restore')).body).toEqual(taken.body);
  expect(await everything()).toEqual(before);
  // The key is used as it was, and ids go on from there.
  expect((await welcome('ada@example.com', 'k')).status).toBe(409);
  await welcome('ada@example.com', 'l');
  expect((await sandbox.emails()).at(-1)?.id).toBe('email-3');
  // It stays, to be restored again.
  sandbox.snapshots.restore('snapshot-1');
  expect(await everything()).toEqual(before);
});

test('the clock goes on from the time of the snapshot', () => {
  const { id, time } = sandbox.snapshots.create();
  sandbox.clock.advance(5 * 60 * 60 * 1000);
  sandbox.snapshots.restore(id);
  const late = sandbox.clock.now() - Date.parse(time);
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(60_000);
});

test('an unknown snapshot is named, with the existing ones', async () => {
  expect((await control('POST', '/snapshots/x/restore')).body).toEqual(refused(/no snapshot 'x'.*none/));
  sandbox.snapshots.create();
  expect(await control('DELETE', '/snapshots/x')).toMatchObject({ status: 404, body: refused(/snapshot-1/) });
  expect((await control('DELETE', '/snapshots/snapshot-1')).body).toEqual({ success: true });
  expect(sandbox.snapshots.list()).toEqual([]);
});

test('a delayed call changes nothing in an account that replaced its own', async () => {
  const restore = () => sandbox.snapshots.restore(sandbox.snapshots.create().id);
  for (const replace of [() => sandbox.reset(), () => sandbox.load({}), restore]) {
    sandbox.reset();
    sandbox.faults.next({ delayMs: 300, route: 'sendEvent' });
    const late = signUp('late@example.com', 'k');
    while (sandbox.faults.list().length > 0) await control('GET', '/status');
    replace();
    expect(await late).toMatchObject({ status: 410, body: refused(/was reset/) });
    expect([await sandbox.events(), sandbox.requests(), await sandbox.emails()]).toEqual([[], [], []]);
    // Nor does it hold a key there.
    expect((await signUp('new@example.com', 'k')).status).toBe(200);
  }
});

test('export and seed are one document: a sandbox that starts from an export exports the same', async () => {
  await update('ada@example.com', { subscribed: false, teamSize: null });
  await signUp('new@example.com');
  const seed = (await control('GET', '/export')).body;
  const other = await startSandbox({ seed: sandbox.export() });
  expect(other.export()).toEqual(seed);
  expect((await callsOf(() => other).control('PUT', '/seed', seed)).status).toBe(200);
  expect(other.export()).toEqual(seed);
  await other.close();
});
