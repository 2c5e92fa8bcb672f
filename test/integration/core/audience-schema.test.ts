import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';

jest.setTimeout(60_000);

const COMMAND = join(dirname(require.resolve('audience-core/package.json')), 'dist/cjs/cli/schema.js');

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const run = (...args: string[]) =>
  new Promise<{ exitCode: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { AUDIENCE_BASE_URL: sandbox.url, AUDIENCE_API_KEY: sandbox.apiKey };
    const child = execFile(process.execPath, [COMMAND, ...args], { env }, (_, stdout, stderr) => {
      resolve({ exitCode: child.exitCode, stdout, stderr });
    });
  });

test('the module is written', async () => {
  expect(await run()).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining("'design-welcome': [") as unknown,
    stderr: '',
  });
});

test('an error has no stack, and an argument ends with the usage', async () => {
  sandbox.faults.next({ route: 'listTransactionalEmails', respond: { status: 403 } });
  const failed = await run();
  expect(failed).toMatchObject({ exitCode: 1, stdout: '' });
  expect(failed.stderr.split('\n')).toHaveLength(2);
  expect(await run('--evens')).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await run('--help')).toMatchObject({ exitCode: 0, stderr: '' });
});
