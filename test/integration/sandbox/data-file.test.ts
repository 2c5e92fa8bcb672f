import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { copyFile, open, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { callsOf, folderForEach, refused, text, type Answer } from './call.js';
import { ready, runCommand, startCommand, type RunningCommand } from '../../hosts/sandbox/command.js';

const CLI = join(dirname(require.resolve('audience-sandbox/package.json')), 'dist', 'cli.js');

const inFolder = folderForEach();
let dataFile: string;
beforeEach(() => {
  dataFile = inFolder('data.db');
});

/** An event of a new contact, which triggers an email. */
const signUp = (sandbox: Pick<RunningSandbox, 'url' | 'apiKey'>, number: number) =>
  callsOf(() => sandbox).signUp(`p${number}@example.com`, `k${number}`, {
    ...{ userId: `u${number}`, teamSize: number },
    eventProperties: { planName: 'x'.repeat(2_000) },
  });

/** Signs people up, several at once, until all have or the sandbox ends; gives the answers by number. */
async function signUpMany(
  sandbox: RunningCommand,
  count: number,
  atOnce: number,
  seen: (answers: ReadonlyMap<number, Answer>) => void = () => undefined,
): Promise<Map<number, Answer>> {
  const answers = new Map<number, Answer>();
  let next = 0;
  const writer = async () => {
    while (next < count) {
      const number = next++;
      const answer = await signUp(sandbox, number).catch(() => undefined);
      if (answer === undefined) return;
      seen(answers.set(number, answer));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, writer));
  return answers;
}

const numbersOf = (answers: ReadonlyMap<number, Answer>, wasDone: boolean) =>
  [...answers].filter(([, { status }]) => (status === 200) === wasDone).map(([number]) => number);

/** Everything that an event leaves is in the file, or nothing: contact, event, email and key. @returns of how many. */
async function expectKept(answered: readonly number[]): Promise<number> {
  const sandbox = await startSandbox({ dataFile });
  const contacts = new Map((await sandbox.contacts()).map((contact) => [contact.userId, contact]));
  const keys = new Set((await sandbox.events()).map(({ key }) => key));
  const mails = (await sandbox.emails()).map(({ to }) => to);
  for (const number of answered) {
    const known = { email: `p${number}@example.com`, properties: { teamSize: number } };
    expect(contacts.get(`u${number}`)).toMatchObject(known);
    expect(keys).toContain(`k${number}`);
  }
  expect([new Set(mails).size, keys.size, contacts.size - 2]).toEqual(Array(3).fill(mails.length));
  for (const number of answered.slice(0, 20)) await signUp(sandbox, number);
  expect(await sandbox.emails()).toHaveLength(mails.length);
  await sandbox.close();
  return mails.length;
}

test('no write with a response is lost when the sandbox is killed under 64 writers, in the middle of 1,000', async () => {
  const sandbox = await startCommand('--data', dataFile);
  let killed: Promise<unknown> | undefined;
  const answers = await signUpMany(sandbox, 1_000, 64, ({ size }) => {
    if (size === 500) killed = sandbox.end('SIGKILL');
  });
  await killed;
  expect(answers.size).toBeGreaterThanOrEqual(500);
  expect(answers.size).toBeLessThan(1_000);
  await expectKept(numbersOf(answers, true));
}, 60_000);

test('a full disk: calls with a response are stored, others change nothing, and a message says so', async () => {
  // A file that may not grow is like a full disk to the process that writes it; the sandbox's own Node starts under it.
  const command = [process.execPath, CLI, '--port', '0', '--data', dataFile];
  const sandbox = await ready(spawn('sh', ['-c', 'ulimit -f 1200 && exec "$0" "$@"', ...command]));
  const answers = await signUpMany(sandbox, 600, 8);
  const [answered, failed] = [numbersOf(answers, true), numbersOf(answers, false)];
  expect(answered.length).toBeGreaterThan(10);
  expect(failed.length).toBeGreaterThan(10);
  for (const number of failed) {
    const { status, body } = answers.get(number) ?? {};
    expect([503, 507]).toContain(status);
    expect(body).toEqual(refused(/data\.db could not be written \(.+\), so the request changed nothing\./));
  }
  // What it shows is what is in the file, and reading goes on.
  const { control, contact } = callsOf(() => sandbox);
  const shown = await control('GET', '/emails?limit=1000');
  expect(shown.body).toMatchObject({ total: answered.length });
  expect((await contact(`u${failed[0] ?? 0}`)).status).toBe(404);
  expect((await contact('ada@example.com')).status).toBe(200);
  const warnings = sandbox.output().match(/could not be written/g) ?? [];
  expect(warnings.length).toBeGreaterThanOrEqual(1);
  expect(warnings.length).toBeLessThan(failed.length);
  await sandbox.end('SIGKILL');
  expect(await expectKept(answered)).toBe(answered.length);
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
  const calls = callsOf(() => sandbox);
  const newContact = (firstName: string) => calls.signUp('new@example.com', 'k', { firstName });

  const before = await stateOf(sandbox);
  const failed = { status: 503, body: refused(/data\.db could not be written \(no luck\)/) };
  expect(await newContact('unlucky')).toMatchObject(failed);
  expect((await calls.update('ada@example.com', { lastName: 'unlucky' })).status).toBe(503);
  expect((await calls.contact('ada@example.com')).body).toMatchObject({ lastName: 'Lovelace' });
  // Deleted and put anew within one call: read from the file again.
  const seed = { contacts: [{ email: 'unlucky@example.com' }] };
  expect((await calls.control('PUT', '/seed', seed)).status).toBe(503);
  expect(await stateOf(sandbox)).toEqual(before);

  expect((await newContact('lucky')).body).toEqual({ success: true });
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
  for (let number = 0; number < 50; number += 1) await signUp(sandbox, number);
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

test('what was deleted stays deleted over a restart', async () => {
  const first = await startSandbox({ dataFile });
  for (const number of [1, 2]) await signUp(first, number);
  const [email] = await first.emails();
  await callsOf(() => first).control('DELETE', `/emails/${email?.id}`);
  await first.deleteContact('u1');
  const stateOf = async (one: RunningSandbox) => [await one.emails(), await one.contacts()];
  const state = await stateOf(first);
  expect(state.map(({ length }) => length)).toEqual([1, 3]);
  await first.close();
  const second = await startSandbox({ dataFile });
  expect(await stateOf(second)).toEqual(state);
  await second.close();
});

test('clock, faults, limit and profile are kept over a restart; given options win', async () => {
  const first = await startSandbox({ dataFile });
  first.clock.advance(3 * 60 * 60 * 1000);
  const calls = callsOf(() => first);
  await calls.control('PUT', '/clock', { stopped: true });
  first.faults.next({ every: 5, respond: { status: 500 }, route: 'sendEvent' });
  first.faults.next({ times: 3, respond: { status: 503 }, route: 'listSubscriptionGroups' });
  await calls.groups();
  await signUp(first, 1);
  first.limitRate({ requestsPerSecond: 9, burst: 9 });
  first.setProfile({ preset: 'awkward' });
  const stateOf = (one: RunningSandbox) => [one.clock.now(), one.faults.list(), one.profile()];
  const state = stateOf(first);
  expect(first.faults.list()).toMatchObject([
    { seen: 1, hits: 0 },
    { seen: 1, hits: 1 },
  ]);
  await first.close();

  const second = await startSandbox({ dataFile });
  expect(stateOf(second)).toEqual(state);
  const { body } = await callsOf(() => second).control('GET', '/rate-limit');
  expect(body).toEqual({ rateLimit: { requestsPerSecond: 9, burst: 9 } });
  await second.close();
  const profile = { duplicates: 'refuse' } as const;
  const third = await startSandbox({ dataFile, profile, rateLimit: { requestsPerSecond: 5 } });
  expect(third.profile()).toMatchObject({ duplicates: 'refuse', unset: null });
  const limit = await callsOf(() => third).control('GET', '/rate-limit');
  expect(limit.body).toMatchObject({ rateLimit: { requestsPerSecond: 5 } });
  await third.close();
});

test("used keys are forgotten after a day of the sandbox's clock, and their space is freed", async () => {
  const sandbox = await startSandbox({ dataFile });
  const { control, welcome } = callsOf(() => sandbox);
  const status = async () => (await control('GET', '/status')).body;
  for (let number = 0; number < 40; number += 1) await welcome('ada@example.com', `k${number}`);
  expect(await status()).toMatchObject({ counts: { keys: 40 } });
  sandbox.clock.advance(23 * 60 * 60 * 1000);
  await welcome('ada@example.com', 'late');
  sandbox.clock.advance(60 * 60 * 1000);
  expect(await status()).toMatchObject({ counts: { keys: 1 } });
  // Back in time: nothing is lost, and nothing is sent twice.
  sandbox.clock.advance(-48 * 60 * 60 * 1000);
  const sent = (await sandbox.emails()).length;
  await welcome('ada@example.com', 'late');
  expect(await sandbox.emails()).toHaveLength(sent);
  await sandbox.close();
});

test.each(['', '-wal'])('only the owner can read the data file%s', async (suffix) => {
  const before = process.umask(0o022);
  const sandbox = await startSandbox({ dataFile });
  expect((statSync(`${dataFile}${suffix}`).mode & 0o777).toString(8)).toBe('600');
  await sandbox.close();
  process.umask(before);
});

test('a file of another kind is named, and not changed', async () => {
  const notes = inFolder('notes.txt');
  await writeFile(notes, 'My notes, which are longer than a header of SQLite: '.repeat(20));
  await expect(startSandbox({ dataFile: notes })).rejects.toThrow(/notes\.txt is not a data file of the/);
  const database = new DatabaseSync(dataFile);
  database.exec('CREATE TABLE mine (a)');
  database.close();
  await expect(startSandbox({ dataFile })).rejects.toThrow(/data\.db is the database of another program/);
});

test('a file is used by one sandbox at a time, and a copy by another', async () => {
  const copy = inFolder('copy.db');
  await (await startSandbox({ dataFile })).close();
  await copyFile(dataFile, copy);
  const sandboxes = [await startSandbox({ dataFile }), await startSandbox({ dataFile: copy })];
  await expect(startSandbox({ dataFile })).rejects.toThrow(/data\.db is in use by another sandbox/);
  for (const one of sandboxes) expect(await one.contacts()).toHaveLength(2);
  for (const one of sandboxes) await one.close();
});
