import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callsOf, text } from './call.js';
import { runCommands, startCommand } from '../../hosts/sandbox/command.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audience-sandbox-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('prints the two variables, works with them, and ends on Ctrl-C', async () => {
  const command = await startCommand('--api-key', 'my-key');
  expect(command.output()).toContain(`export AUDIENCE_BASE_URL=${command.url}\n`);
  expect(command.output()).toContain('export AUDIENCE_API_KEY=my-key\n');
  expect((await callsOf(() => command).groups()).status).toBe(200);
  expect(await command.end('SIGINT')).toBe(0);
});

test.each([
  ['yaml', 'subscriptionGroups:\n  - { id: only, name: Only }\n'],
  ['json', '{ "subscriptionGroups": [{ "id": "only", "name": "Only" }] }'],
])('reads a seed as %s', async (ending, seed) => {
  const file = join(folder, `seed.${ending}`);
  await writeFile(file, seed);
  const command = await startCommand('--seed', file, '--rate-limit', '1');
  const { groups } = callsOf(() => command);
  expect((await groups()).body).toEqual([{ id: 'only', name: 'Only', description: null }]);
  expect((await groups()).status).toBe(429);
  await command.end('SIGTERM');
});

test('reads a profile from a file', async () => {
  const file = join(folder, 'profile.yaml');
  await writeFile(file, 'preset: awkward\nunset: null\nkeptKeys: all\n');
  const command = await startCommand('--profile', file);
  const { body } = await callsOf(() => command).control('GET', '/profile');
  expect(body).toMatchObject({ duplicates: 'refuse', unset: null, keptKeys: 'all' });
  await command.end('SIGTERM');
});

test('help and version', async () => {
  const [help, version] = await runCommands([['--help'], ['--version']]);
  expect(help).toMatchObject({ code: 0, output: text(/--data FILE/) });
  expect(version?.output).toMatch(/^\d+\.\d+\.\d+\n$/);
});

const WRONG: readonly [args: string[], code: number, message: RegExp][] = [
  [['--prot', '1'], 2, /^Unknown option '--prot'\. See audience-sandbox --help\.\n$/],
  [['--seed'], 2, /^Option '--seed <value>' argument missing\. See audience-sandbox --help\.\n$/],
  [['--port', 'x'], 2, /--port cannot be 'x': it must be a whole number from 0 to 65535\./],
  [['--rate-limit', '0'], 2, /--rate-limit cannot be '0': it must be a number above 0\./],
  [['--host', ''], 2, /--host needs a value/],
  [['--api-key', 'a b'], 2, /--api-key cannot be 'a b': it must be ASCII characters without a space/],
  [['--duplicates', 'refuse'], 2, /^Unknown option '--duplicates'/],
  [['--profile', 'awkward'], 1, /^There is no file awkward to read the profile from.*'preset: awkward'/],
  [['--prefix', 'audience'], 1, /'prefix' must be a path such as '\/audience', not 'audience'/],
  [['push'], 2, /There is no command 'push'/],
  [['pull', '--from', 'http://localhost:1'], 2, /pull needs --out/],
  [['--out', 'seed.yaml'], 2, /go with the command pull/],
  [['--seed', 'no-such-file.yaml'], 1, /There is no file no-such-file\.yaml/],
];

test('wrong options are each explained in one line', async () => {
  const runs = await runCommands(WRONG.map(([args]) => ['--port', '0', ...args]));
  const found = runs.map(({ code, output }, index) => ({ args: WRONG[index]?.[0], code, output }));
  expect(found).toEqual(WRONG.map(([args, code, message]) => ({ args, code, output: text(message) })));
  for (const { output } of found) expect(output.trim().split('\n')).toHaveLength(1);
});

test.each([
  ['seed', 'designs: [{ id: d, name: D, title: T }]', "'designs.0.title' is an unknown field of a seed."],
  ['profile', 'errorBodies: text', "'errorBodies' is an unknown field of a profile."],
  ['profile', 'duplicates: sometimes', "'duplicates' must be one of replay, refuse."],
])('a %s with a mistake: one line names the file and the field', async (what, content, message) => {
  const file = join(folder, 'mine.yaml');
  await writeFile(file, content);
  const [run] = await runCommands([['--port', '0', `--${what}`, file]]);
  const line = `The ${what} ${file} cannot be used: ${message}`;
  expect(run).toEqual({ code: 1, output: expect.stringContaining(line) as unknown });
  expect(run?.output.trim().split('\n')).toHaveLength(1);
});
