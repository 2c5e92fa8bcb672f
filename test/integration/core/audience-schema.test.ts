import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSandbox } from 'audience-sandbox';
import type { RunningSandbox } from 'audience-sandbox';

jest.setTimeout(60_000);

const COMMAND = join(dirname(require.resolve('audience-core/package.json')), 'dist/cjs/cli/schema.js');

let sandbox: RunningSandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  folder = await mkdtemp(join(tmpdir(), 'audience-schema-'));
  await writeFile(join(folder, 'events.json'), '{ "orderPlaced": { "total": "number" } }');
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (...args: string[]) =>
  new Promise<Ended>((resolve) => {
    const env = { AUDIENCE_BASE_URL: sandbox.url, AUDIENCE_API_KEY: sandbox.apiKey };
    const child = execFile(
      process.execPath,
      [COMMAND, ...args],
      { cwd: folder, env },
      (_, stdout, stderr) => {
        resolve({ exitCode: child.exitCode ?? undefined, stdout, stderr });
      },
    );
  });

test('the module is written, and a check tells when it is stale', async () => {
  const { stdout } = await run('--events', 'events.json');
  expect(stdout).toContain("'orderPlaced': { 'total': 'number' },");
  expect(stdout).toContain("'design-welcome': [");
  await writeFile(join(folder, 'schema.ts'), stdout.replaceAll('\n', '\r\n'));
  const check = ['--events', 'events.json', '--check', 'schema.ts'];
  expect(await run(...check)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  await writeFile(join(folder, 'schema.ts'), stdout.replace('total', 'sum'));
  expect(await run(...check)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'schema.ts is stale. Write it anew with audience-schema.\n',
  });
  expect(await readFile(join(folder, 'schema.ts'), 'utf8')).toContain('sum');
});

test.each([
  ['{ "a": {}, "a": {} }', "'a'"],
  ['[]', 'The schema cannot be used'],
])('a file of events is refused: %s', async (text, sentence) => {
  await writeFile(join(folder, 'wrong.json'), text);
  const { exitCode, stderr } = await run('--events', 'wrong.json');
  expect(exitCode).toBe(1);
  expect(stderr).toContain(sentence);
});

test('unknown arguments end with the usage', async () => {
  const { exitCode, stderr } = await run('--evens', 'events.json');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--check FILE');
});
