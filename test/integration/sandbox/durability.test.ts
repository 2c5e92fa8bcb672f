import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'audience-sandbox';
import { call } from './call.js';
import { startCommand } from '../../hosts/sandbox/command.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audience-sandbox-'));
});
afterEach(() => rm(folder, { recursive: true }));

const sendEvent = (sandbox: Parameters<typeof call>[0], number: number) =>
  call(sandbox, 'POST', '/v1/events/send', {
    body: { email: `p${number}@example.com`, userId: `u${number}`, eventName: 'signedUp', teamSize: number },
    key: `k${number}`,
  });

test('no write with a response is lost when the sandbox is killed under 64 writers, in the middle of 1,000', async () => {
  const dataFile = join(folder, 'data.db');
  const first = await startCommand('--data', dataFile);
  const answered: number[] = [];
  let next = 0;
  let killed: Promise<unknown> | undefined;
  const writer = async () => {
    while (next < 1000) {
      const number = next++;
      const answer = await sendEvent(first, number).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status === 200) answered.push(number);
      if (answered.length === 500) killed = first.end('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 64 }, writer));
  await killed;
  expect(answered.length).toBeGreaterThanOrEqual(500);
  expect(answered.length).toBeLessThan(1000);

  const second = await startSandbox({ dataFile });
  try {
    const contacts = new Map((await second.contacts()).map((contact) => [contact.userId, contact]));
    const events = new Set((await second.events()).map(({ key }) => key));
    const mails = (await second.emails()).map(({ to }) => to);
    for (const number of answered) {
      expect(contacts.get(`u${number}`)).toMatchObject({
        email: `p${number}@example.com`,
        properties: { teamSize: number },
      });
      expect(events).toContain(`k${number}`);
    }
    // Whole or not at all: an event is never there without its contact, its mail and its key.
    expect(new Set(mails).size).toBe(mails.length);
    expect(mails.length).toBe(events.size);
    expect(contacts.size).toBe(events.size + 2);
    for (const number of answered.slice(0, 20)) await sendEvent(second, number);
    expect(await second.emails()).toHaveLength(mails.length);
  } finally {
    await second.close();
  }
}, 60_000);

describe('a file that cannot be used is named, and not changed', () => {
  test('a file that another sandbox uses', async () => {
    const dataFile = join(folder, 'data.db');
    const first = await startSandbox({ dataFile });
    await expect(startSandbox({ dataFile })).rejects.toThrow(/data\.db is in use by another sandbox/);
    await first.close();
    await (await startSandbox({ dataFile })).close();
  });

  test('a file of another kind', async () => {
    const dataFile = join(folder, 'notes.txt');
    await writeFile(dataFile, 'My notes, which are longer than a header of SQLite: '.repeat(20));
    await expect(startSandbox({ dataFile })).rejects.toThrow(/notes\.txt is not a data file of the sandbox/);
  });

  test('a copy can be opened while the original is in use', async () => {
    const dataFile = join(folder, 'data.db');
    await (await startSandbox({ dataFile })).close();
    await copyFile(dataFile, join(folder, 'copy.db'));
    const sandboxes = [
      await startSandbox({ dataFile }),
      await startSandbox({ dataFile: join(folder, 'copy.db') }),
    ];
    for (const one of sandboxes) expect(await one.contacts()).toHaveLength(2);
    for (const one of sandboxes) await one.close();
  });
});
