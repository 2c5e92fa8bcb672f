import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inspect, promisify } from 'node:util';
import { codeBlocks } from '../../hosts/installed/readme.js';
import { folderForEach } from '../../integration/sandbox/call.js';

const README = readFileSync(resolve(__dirname, '../../sandbox/README.md'), 'utf8');
const MODULES = resolve(__dirname, '../../../node_modules');
const [JEST = '', SET_UP = ''] = codeBlocks(README, 'js');
const [, TEAR_DOWN = ''] = /its `globalTeardown` is `([^`]+)`/.exec(README) ?? [];

const inFolder = folderForEach();
beforeEach(() => symlink(MODULES, inFolder('node_modules')));

async function run(files: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(inFolder(name), text);
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
  return promisify(execFile)(process.execPath, args, { cwd: inFolder(), env }).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: unknown) => inspect(error),
  );
}
const runJest = (files: Readonly<Record<string, string>>, config: object) =>
  run(
    { ...files, 'jest.config.json': JSON.stringify({ transform: {}, ...config }) },
    ...[join(MODULES, 'jest/bin/jest.js'), '--ci', '--runInBand', '--no-watchman'],
  );

/** The test, without the event that it expects. */
const withoutEvent = (program: string) => program.replace(/^ {2}await audience\.events\.send\(.*;$/m, '');

test('jest: the test passes, and says what is missing where nobody signs up', async () => {
  const output = await runJest({ 'welcome.test.js': JEST, 'silent.test.js': withoutEvent(JEST) }, {});
  expect(output).toMatch(/PASS .*welcome\.test\.js/);
  expect(output).toMatch(/No email fits \{ to: 'nia@example\.com', design: 'Onboarding' \} after 4000 ms/);
  expect(output).toMatch(/Tests: +1 failed, 1 passed, 2 total/);
});

test('jest: one sandbox for all test files', async () => {
  const program = `
    const { AudienceClient } = require('audience-core');
    const { connectSandbox } = require('audience-sandbox');
    const audience = AudienceClient.fromEnv();
    test('it arrives', async () => {
      const sandbox = connectSandbox(process.env.AUDIENCE_BASE_URL);
      await audience.events.send({ eventName: 'signedUp', email: __filename.length + '@example.com' });
      await sandbox.waitForEvent({ name: 'signedUp', email: __filename.length + '@example.com' });
    });`;
  const files = { 'global-setup.js': SET_UP, 'global-teardown.js': TEAR_DOWN };
  const config = { globalSetup: './global-setup.js', globalTeardown: './global-teardown.js' };
  const output = await runJest({ ...files, 'a.test.js': program, 'ab.test.js': program }, config);
  expect(output).toMatch(/Tests: +2 passed, 2 total/);
  expect(output).not.toMatch(/did not exit/);
});

test('node:test', async () => {
  const [program = ''] = codeBlocks(README, 'mjs');
  const files = { 'welcome.mjs': program, 'silent.mjs': withoutEvent(program) };
  const output = await run(files, '--test', 'welcome.mjs', 'silent.mjs');
  expect(output).toMatch(/pass 1\b/);
  expect(output).toMatch(/fail 1\b/);
});
