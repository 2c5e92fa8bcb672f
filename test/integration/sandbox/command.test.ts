import { writeFile } from 'node:fs/promises';
import { callsOf, folderForEach, text } from './call.js';
import { runCommand, startCommand } from '../../hosts/sandbox/command.js';

const inFolder = folderForEach();

test('prints the two variables, works with them, and ends on Ctrl-C', async () => {
  const command = await startCommand('--api-key', 'my-key');
  expect(command.output()).toContain(`export AUDIENCE_BASE_URL=${command.url}\n`);
  expect(command.output()).toContain('export AUDIENCE_API_KEY=my-key\n');
  expect((await callsOf(() => command).groups()).status).toBe(200);
  expect(await command.end('SIGINT')).toBe(0);
});

test('reads a seed, a profile and a rate limit', async () => {
  const seed = inFolder('seed.json');
  const profile = inFolder('profile.yaml');
  await writeFile(seed, '{ "subscriptionGroups": [{ "id": "only", "name": "Only" }] }');
  await writeFile(profile, 'preset: awkward\nunset: null\nkeptKeys: all\n');
  const command = await startCommand('--seed', seed, '--profile', profile, '--rate-limit', '1');
  const { groups, control } = callsOf(() => command);
  expect((await groups()).body).toEqual([{ id: 'only', name: 'Only', description: null }]);
  expect((await groups()).status).toBe(429);
  const { body } = await control('GET', '/profile');
  expect(body).toMatchObject({ duplicates: 'refuse', unset: null, keptKeys: 'all' });
  await command.end('SIGTERM');
});

test('help and version', async () => {
  expect(await runCommand(['--help'])).toEqual({ code: 0, output: text(/--data FILE/) });
  expect(await runCommand(['--version'])).toEqual({ code: 0, output: text(/^\d+\.\d+\.\d+\n$/) });
});

test.each<[args: string, code: number, message: RegExp, content: string]>([
  ['--prot 1', 2, /^Unknown option '--prot'\. See audience-sandbox --help\.\n$/, ''],
  ['--prefix audience', 1, /^'prefix' must be a path such as '\/audience', not 'audience'/, ''],
  ['--seed none.yaml', 1, /^There is no file none\.yaml/, ''],
  ['--profile awkward', 1, /^There is no file awkward to read the profile from.*'preset: awkward'/, ''],
  [
    '--seed FILE',
    1,
    /^The seed .*mine\.yaml cannot be used: 'designs\.0\.title' is an/,
    'designs: [{ id: d, name: D, title: T }]',
  ],
  ['--profile FILE', 1, /^The profile .*mine\.yaml cannot be used: 'unsett' is an/, 'unsett: null'],
  ['--profile FILE', 1, /cannot be used: 'duplicates' must be one of replay, refuse/, 'duplicates: no'],
])('%s: exit code %d, and one line of what is wrong', async (args, code, message, content) => {
  const file = inFolder('mine.yaml');
  await writeFile(file, content);
  const run = await runCommand(['--port', '0', ...args.replace('FILE', file).split(' ')]);
  expect(run).toEqual({ code, output: text(message) });
  expect(run.output.trim().split('\n')).toHaveLength(1);
});
