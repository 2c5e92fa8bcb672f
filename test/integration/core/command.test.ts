import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';

jest.setTimeout(60_000);

const COMMAND = join(dirname(require.resolve('audience-core/package.json')), 'dist/cjs/cli/main.js');

let sandbox: RunningSandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audience-command-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const FILE = 'audience-schema.ts';

interface Ending {
  readonly exitCode: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], before = ''): Promise<Ending> {
  const env = { AUDIENCE_BASE_URL: sandbox.url, AUDIENCE_API_KEY: sandbox.apiKey };
  return new Promise((resolve) => {
    const script = `${before} exec "$0" "$@"`;
    const argv = ['-c', script, process.execPath, COMMAND, ...args];
    const child = execFile('sh', argv, { cwd: folder, env }, (_, stdout, stderr) => {
      resolve({ exitCode: child.exitCode, stdout, stderr });
    });
  });
}

const refuseTheKey = (): void => {
  sandbox.faults.next({ respond: { status: 401 } });
};

test('the schema is printed, and written to a file that the command has made before', async () => {
  const { stdout, stderr, exitCode } = await run(['schema']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toContain("'design-welcome': [");
  for (const _time of ['first', 'second']) {
    expect(await run(['schema', '--out', FILE])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(folder, FILE), 'utf8')).toBe(stdout);
  }
});

test.each<{ what: string; act?: () => void; before?: string; content?: string; calls: number }>([
  { what: 'a refused key', act: refuseTheKey, calls: 1 },
  // No file may be larger than 0 bytes.
  { what: 'a full disk', before: "trap '' XFSZ; ulimit -f 0;", calls: 2 },
  { what: "a person's own file in its place", content: 'export const own = 1;\n', calls: 0 },
])('$what leaves the old file, and nothing beside it', async ({ act, before, content, calls }) => {
  await run(['schema', '--out', FILE]);
  const file = join(folder, FILE);
  const old = content ?? `${readFileSync(file, 'utf8')}// older`;
  writeFileSync(file, old);
  sandbox.reset();
  act?.();
  const { exitCode, stderr } = await run(['schema', '--out', FILE], before);
  expect([exitCode, stderr.split('\n').length, stderr.includes('    at ')]).toEqual([1, 2, false]);
  expect(readFileSync(file, 'utf8')).toBe(old);
  expect(readdirSync(folder)).toEqual([FILE]);
  expect(sandbox.requests()).toHaveLength(calls);
});

test.each([
  [['--evens'], 2],
  [[], 2],
  [['schema', 'more'], 2],
  [['schema', '--out'], 2],
  [['--help'], 0],
])('%j shows the usage', async (args, exitCode) => {
  const { stdout, stderr, ...end } = await run(args);
  expect(end).toEqual({ exitCode });
  expect(exitCode === 0 ? stdout : stderr).toContain('audience-core schema');
});
