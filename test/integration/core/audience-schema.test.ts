import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';

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

const run = (...args: string[]) =>
  new Promise<{ exitCode: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { AUDIENCE_BASE_URL: sandbox.url, AUDIENCE_API_KEY: sandbox.apiKey };
    const options = { cwd: folder, env };
    const child = execFile(process.execPath, [COMMAND, ...args], options, (_, stdout, stderr) => {
      resolve({ exitCode: child.exitCode, stdout, stderr });
    });
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
    stderr: 'schema.ts is stale. To write it again: audience-schema --events events.json > schema.ts\n',
  });
  expect(await readFile(join(folder, 'schema.ts'), 'utf8')).toContain('sum');
});

test.each([
  ['{ "a": {}, "a": {} }', "'a'"],
  ['[]', 'The schema cannot be used'],
])('a file of events is refused: %s', async (text, sentence) => {
  await writeFile(join(folder, 'wrong.json'), text);
  expect(await run('--events', 'wrong.json')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(sentence) as unknown,
  });
});

test('unknown arguments end with the usage', async () => {
  expect(await run('--evens', 'events.json')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--check FILE') as unknown,
  });
});
