import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { open, mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { call, refused, text } from './call.js';
import { ready, runCommand } from '../../hosts/sandbox/command.js';

const CLI = join(dirname(require.resolve('audience-sandbox/package.json')), 'dist', 'cli.js');

let folder: string;
let dataFile: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audience-sandbox-'));
  dataFile = join(folder, 'data.db');
});
afterEach(() => rm(folder, { recursive: true }));

const send = (sandbox: Pick<RunningSandbox, 'url' | 'apiKey'>, number: number) =>
  call(sandbox, 'POST', '/v1/transactional', {
    body: {
      email: `p${number}@example.com`,
      transactionalId: 'design-welcome',
      addToAudience: true,
      dataVariables: { firstName: 'x'.repeat(2_000), planName: 'Pro' },
    },
    key: `k${number}`,
  });

/** The recipients of a sandbox on that file, and its contacts. */
async function kept() {
  const sandbox = await startSandbox({ dataFile });
  const people = {
    emails: (await sandbox.emails()).map(({ to }) => to),
    contacts: (await sandbox.contacts()).map(({ email }) => email),
    keys: (await sandbox.emails()).map(({ key }) => key),
  };
  await sandbox.close();
  return people;
}

test('a full disk: calls with a response are stored, others change nothing, and a message says so', async () => {
  // A file that may not grow is like a full disk to the process that writes it; the sandbox's own Node starts under it.
  const limited = spawn('sh', [
    '-c',
    `ulimit -f 1200 && exec "$0" "$@"`,
    process.execPath,
    CLI,
    '--port',
    '0',
    '--data',
    dataFile,
  ]);
  const sandbox = await ready(limited);
  const answers = new Map<number, Awaited<ReturnType<typeof send>>>();
  let next = 0;
  const writer = async () => {
    while (next < 600) {
      const number = next++;
      answers.set(number, await send(sandbox, number));
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
  const answered = [...answers].filter(([, { status }]) => status === 200).map(([number]) => number);
  const failed = [...answers].filter(([, { status }]) => status !== 200);
  expect(answered.length).toBeGreaterThan(10);
  expect(failed.length).toBeGreaterThan(10);
  for (const [, { status, body }] of failed) {
    expect([503, 507]).toContain(status);
    expect(body).toEqual(refused(/data\.db could not be written \(.+\), so the request changed nothing\./));
  }
  // What it shows is what is in the file, and reading goes on.
  const shown = await call(sandbox, 'GET', '/__sandbox/emails?limit=1000');
  expect(shown.body).toMatchObject({ total: answered.length });
  expect((await call(sandbox, 'GET', `/v1/contacts/p${failed[0]?.[0] ?? 0}%40example.com`)).status).toBe(404);
  expect((await call(sandbox, 'GET', '/v1/contacts/ada%40example.com')).status).toBe(200);
  const warnings = sandbox
    .output()
    .split('\n')
    .filter((line) => line.includes('could not be written'));
  expect(warnings.length).toBeGreaterThanOrEqual(1);
  expect(warnings.length).toBeLessThan(failed.length);
  await sandbox.end('SIGKILL');

  const { emails, contacts, keys } = await kept();
  const expected = answered.map((number) => `p${number}@example.com`).sort();
  expect([...emails].sort()).toEqual(expected);
  expect(contacts.filter((email) => email?.startsWith('p')).sort()).toEqual(expected);
  expect(new Set(keys).size).toBe(answered.length);
});

test('a write that fails undoes its whole call: contact, mail, key, log, settings; and the next call works', async () => {
  // Somebody else's lock is one way in which a COMMIT fails; a trigger is one in which a statement does.
  await (await startSandbox({ dataFile })).close();
  const database = new DatabaseSync(dataFile);
  database.exec(
    "CREATE TRIGGER full BEFORE INSERT ON records WHEN NEW.json LIKE '%unlucky%' BEGIN SELECT RAISE(FAIL, 'no luck'); END",
  );
  database.close();
  const warnings: string[] = [];
  const sandbox = await startSandbox({ dataFile, warn: (message) => warnings.push(message) });
  const stateOf = async (one: RunningSandbox) => [await one.emails(), await one.contacts(), one.export()];
  const signUp = (firstName: string) =>
    call(sandbox, 'POST', '/v1/events/send', {
      body: { eventName: 'signedUp', email: 'new@example.com', firstName },
      key: 'k',
    });

  const before = await stateOf(sandbox);
  const failed = { status: 503, body: refused(/data\.db could not be written \(no luck\)/) };
  expect(await signUp('unlucky')).toMatchObject(failed);
  const update = { body: { lastName: 'unlucky' } };
  expect((await call(sandbox, 'PUT', '/v1/contacts/ada%40example.com', update)).status).toBe(503);
  const ada = await call(sandbox, 'GET', '/v1/contacts/ada%40example.com');
  expect(ada.body).toMatchObject({ lastName: 'Lovelace' });
  // Deleted and put anew within one call: read from the file again.
  const seed = { contacts: [{ email: 'unlucky@example.com' }] };
  expect((await call(sandbox, 'PUT', '/__sandbox/seed', { body: seed })).status).toBe(503);
  expect(await stateOf(sandbox)).toEqual(before);

  expect((await signUp('lucky')).body).toEqual({ success: true });
  const [lost, found] = [text(/could not be written/), text(/is writable again/)];
  expect(warnings).toEqual([lost, found, lost, found]);
  const log = sandbox.requests();
  expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
  const after = await stateOf(sandbox);
  await sandbox.close();
  const again = await startSandbox({ dataFile });
  expect([await stateOf(again), again.requests()]).toEqual([after, log]);
  await again.close();
});

test('a damaged page: the message names the file and what to do, and the file is not changed', async () => {
  const sandbox = await startSandbox({ dataFile });
  for (let number = 0; number < 50; number += 1) await send(sandbox, number);
  await sandbox.close();
  const { size } = await stat(dataFile);
  const file = await open(dataFile, 'r+');
  for (let page = 4096 * 2; page < size; page += 4096)
    await file.write(Buffer.alloc(512, 0xa5), 0, 512, page);
  await file.close();
  const { code, output } = await runCommand(['--port', '0', '--data', dataFile]);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^The data file .*data\.db is damaged \(.*--data, or recover its data with 'sqlite3 .*\.recover.*\n$/,
  );
  expect((await stat(dataFile)).size).toBe(size);
});

test.each([
  ['contacts', '{"id":', /data\.db is damaged \(its contacts cannot be read: .*JSON.*\)\. Restore a backup/],
  ['contacts', '{"id":7}', /data\.db is damaged \(its contacts cannot be read: 'id' must be text/],
  ['settings', '{}', /data\.db is damaged \(its settings cannot be read: 'clock' is missing; /],
])(
  'a damaged record: the message names the file, which is not changed (%s: %s)',
  async (kind, json, message) => {
    const sandbox = await startSandbox({ dataFile });
    sandbox.clock.advance(1);
    await sandbox.close();
    const database = new DatabaseSync(dataFile);
    database.prepare('UPDATE records SET json = ? WHERE kind = ?').run(json, kind);
    database.close();
    await expect(startSandbox({ dataFile })).rejects.toThrow(message);
  },
);

test('clock, faults, limit and profile are kept over a restart; given options win', async () => {
  const first = await startSandbox({ dataFile });
  first.clock.advance(3 * 60 * 60 * 1000);
  await call(first, 'PUT', '/__sandbox/clock', { body: { stopped: true } });
  first.faults.next({ every: 5, respond: { status: 500 }, route: 'sendEvent' });
  first.faults.next({ times: 3, respond: { status: 503 }, route: 'listSubscriptionGroups' });
  await call(first, 'GET', '/v1/subscription-groups');
  first.limitRate({ requestsPerSecond: 9, burst: 9 });
  first.setProfile({ preset: 'awkward' });
  const hits = async (sandbox: RunningSandbox) => {
    sandbox.limitRate(undefined);
    const statuses = [];
    for (let number = 0; number < 12; number += 1)
      statuses.push(
        (await call(sandbox, 'POST', '/v1/events/send', { body: { email: 'a@b.c', eventName: 'e' } })).status,
      );
    return statuses;
  };
  const state = { now: first.clock.now(), faults: first.faults.list(), profile: first.profile() };
  await first.close();

  const second = await startSandbox({ dataFile });
  expect({ now: second.clock.now(), faults: second.faults.list(), profile: second.profile() }).toEqual(state);
  expect((await call(second, 'GET', '/__sandbox/rate-limit')).body).toEqual({
    rateLimit: { requestsPerSecond: 9, burst: 9 },
  });
  // The count goes on where it stood.
  const firstHalf = await hits(second);
  await second.close();
  const third = await startSandbox({
    dataFile,
    profile: { duplicates: 'refuse' },
    rateLimit: { requestsPerSecond: 5 },
  });
  expect(third.profile()).toMatchObject({ duplicates: 'refuse', unset: null });
  const secondHalf = await hits(third);
  await third.close();
  expect([...firstHalf, ...secondHalf]).toEqual(
    Array.from({ length: 24 }, (_, number) => (number % 5 === 4 ? 500 : 200)),
  );
});

test("used keys are forgotten after a day of the sandbox's clock, and their space is freed", async () => {
  const sandbox = await startSandbox({ dataFile });
  const keys = async () => (await call(sandbox, 'GET', '/__sandbox/status')).body;
  await Promise.all(Array.from({ length: 40 }, (_, number) => send(sandbox, number)));
  expect(await keys()).toMatchObject({ counts: { keys: 40 } });
  sandbox.clock.advance(23 * 60 * 60 * 1000);
  await send(sandbox, 100);
  sandbox.clock.advance(60 * 60 * 1000);
  expect(await keys()).toMatchObject({ counts: { keys: 1 } });
  // Back in time: nothing is lost, and nothing is sent twice.
  sandbox.clock.advance(-48 * 60 * 60 * 1000);
  expect((await send(sandbox, 100)).headers.get('idempotent-replayed')).toBe('true');
  await sandbox.close();
});

test.each(['', '-wal'])('only the owner can read the data file%s', async (suffix) => {
  const before = process.umask(0o022);
  const sandbox = await startSandbox({ dataFile });
  expect((statSync(`${dataFile}${suffix}`).mode & 0o777).toString(8)).toBe('600');
  await sandbox.close();
  process.umask(before);
});
