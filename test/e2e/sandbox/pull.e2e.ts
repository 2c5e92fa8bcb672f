import { readdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { startSandbox, type Preset, type RunningSandbox, type Seed } from 'audience-sandbox';
import { parse } from 'yaml';
import * as z from 'zod/v4-mini';
import { callsOf, folderForEach, text } from '../../integration/sandbox/call.js';
import { codeBlocks } from '../../hosts/installed/readme.js';
import { runCommand, startCommand } from '../../hosts/sandbox/command.js';

const LIVE: Seed = {
  designs: Array.from({ length: 130 }, (_, index) => ({
    id: `design/${index}`,
    name: `Design ${index}: "quoted" & {braced}`,
    lastUpdated: '2026-03-01T10:00:00.000Z',
    subject: 'Hello {{firstName}}',
    body: '<p>A body that the interface does not give, for {{firstName}}</p>',
    dataVariables: index % 2 === 0 ? ['firstName', 'plan'] : [],
  })),
  subscriptionGroups: [
    { id: 'g1', name: 'yes', description: null },
    { id: 'g2', name: '2', description: 'With a\nline break' },
  ],
  properties: [
    { name: 'seats', type: 'number', label: 'Seats' },
    { name: 'since', type: 'date', label: 'Member since' },
  ],
  contacts: [{ email: 'secret@example.com', userId: 'secret-user' }],
};

const inFolder = folderForEach();
let live: RunningSandbox;
beforeEach(async () => {
  live = await startSandbox({ seed: LIVE, apiKey: 'live-key' });
});
afterEach(() => live.close());

const page = (name: string) => readFile(resolve(__dirname, '../../sandbox', name), 'utf8');

const pull = (out: string, AUDIENCE_API_KEY = 'live-key', from = live.url) =>
  runCommand(['pull', '--from', from, '--out', out], { AUDIENCE_API_KEY });

/** What a program can see of an account, but for its people. */
async function seen(sandbox: Pick<RunningSandbox, 'url' | 'apiKey'>) {
  const { get, groups } = callsOf(() => sandbox);
  const properties = await get('/v1/contacts/properties');
  const answers = [properties, await groups(), await get('/v1/transactional?perPage=50')];
  return JSON.stringify(answers.map(({ body }) => body)).replaceAll(sandbox.url, '');
}

test.each<Preset>(['default', 'awkward'])(
  'from a service of the kind %s: a sandbox that starts from the file has that account',
  async (preset) => {
    live.setProfile({ preset });
    const out = inFolder('seed.yaml');
    const { code, output } = await pull(out);
    expect(output).toBe(
      `Wrote 130 designs, 2 subscription groups, 2 custom properties to ${out}. Start with: audience-sandbox --seed ${out}\n`,
    );
    expect(code).toBe(0);
    // Reads only, and nothing of people.
    expect(new Set(live.requests().map(({ method }) => method))).toEqual(new Set(['GET']));
    const written = await readFile(out, 'utf8');
    expect(written).not.toMatch(/secret|live-key/);
    expect(parse(written)).not.toHaveProperty('contacts');

    live.setProfile({});
    const local = await startSandbox({ seed: {} });
    const { control, send } = callsOf(() => local);
    expect((await control('PUT', '/seed', parse(written))).status).toBe(200);
    expect(await seen(local)).toBe(await seen(live));
    // A design without a body shows its variables.
    const dataVariables = { firstName: 'Ada', plan: 'Pro' };
    await send({ email: 'a@b.c', transactionalId: 'design/0', dataVariables });
    expect(await local.emails()).toMatchObject([{ html: text(/plan<\/th><td>Pro/) }]);
    await local.close();
  },
);

test('a file whose name ends in .json gets JSON', async () => {
  const out = inFolder('seed.json');
  expect((await pull(out)).code).toBe(0);
  const parts = { designs: { length: 130 }, subscriptionGroups: { length: 2 } };
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject(parts);
});

test.each<[string, RegExp, (out: string) => ReturnType<typeof runCommand>]>([
  ['an existing file', /exists already/, () => pull(inFolder('mine.yaml'))],
  ['no such folder', /^There is no folder .*none; create it/, () => pull(inFolder('none/a.yaml'))],
  ['a wrong key', /does not accept the API key/, (out) => pull(out, 'wrong-key')],
  ['no key', /^Set AUDIENCE_API_KEY/, (out) => pull(out, '')],
  ['no service', /nothing listens/, (out) => pull(out, 'k', 'http://127.0.0.1:1')],
])('%s: one line says what to do, and no file is changed', async (_what, message, wrongly) => {
  await writeFile(inFolder('mine.yaml'), 'mine');
  const { code, output } = await wrongly(inFolder('other.yaml'));
  expect([code, output]).toEqual([1, text(message)]);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(await readdir(inFolder())).toEqual(['mine.yaml']);
  expect(await readFile(inFolder('mine.yaml'), 'utf8')).toBe('mine');
});

test("the documentation's seed has every part of a seed, and loads", async () => {
  const [seed = ''] = codeBlocks(await page('docs/seed.md'), 'yaml');
  const file = inFolder('seed.yaml');
  await writeFile(file, seed);
  const started = await startCommand('--seed', file);
  const { body } = await callsOf(() => started).control('GET', '/export');
  const shown = z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).parse(parse(seed));
  expect(body).toMatchObject(shown);
  // No part of the form is left untold.
  expect(Object.keys(shown).sort()).toEqual(Object.keys(live.export()).sort());
  await started.end('SIGTERM');
});

test('every command of the documentation runs', async () => {
  const pages = (await page('README.md')) + (await page('docs/seed.md'));
  const commands = [...pages.matchAll(/^npx --no audience-sandbox(.*)$/gm)];
  expect(commands).toHaveLength(3);
  for (const [, command = ''] of commands) {
    const args = command
      .replace(/https:\/\/\S+/, live.url)
      .replace('seed.yaml', inFolder('seed.yaml'))
      .split(' ')
      .filter((part) => part !== '');
    if (args[0] === 'pull') {
      expect((await runCommand(args, { AUDIENCE_API_KEY: 'live-key' })).code).toBe(0);
      continue;
    }
    const started = await startCommand(...args);
    expect((await callsOf(() => started).groups()).status).toBe(200);
    await started.end('SIGTERM');
  }
});
