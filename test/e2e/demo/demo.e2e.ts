import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod/v4-mini';

const callsSchema = z.array(
  z.object({ method: z.string(), route: z.nullable(z.string()), status: z.nullable(z.int()) }),
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audience-demo-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command of the README to its end; its temporary files lie under a folder of the test's. */
function runDemo(...options: string[]) {
  return spawnSync('npm', ['run', '--silent', 'demo', '--', ...options], {
    cwd: resolve(__dirname, '../../..'),
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: folder },
  });
}

test('the whole product, with everything kept to look at', () => {
  const keep = join(folder, 'kept');
  const { status, stdout, stderr } = runDemo('--keep', keep);
  // The build before it may say there how far it is.
  expect([status, stderr.includes('    at ')]).toEqual([0, false]);
  for (const step of [1, 2, 3, 4, 5, 6]) expect(stdout).toContain(`[${step}/6]`);
  expect(stdout).toMatch(/The engine is the Pulumi CLI|No Pulumi CLI on the PATH/);
  const calls = callsSchema.parse(JSON.parse(readFileSync(join(keep, 'requests.json'), 'utf8')));
  const sent = calls.filter(({ route }) => route === 'sendTransactionalEmail');
  expect(sent.map((call) => call.status)).toEqual([200, 200, 200]);
  // The CLI keeps its state in a file; without one there is none.
  expect(
    readdirSync(keep)
      .filter((name) => name !== 'state')
      .sort(),
  ).toEqual(['n8n-output.json', 'program', 'pulumi-up-1.log', 'pulumi-up-2.log', 'requests.json']);
});

test('the demo refuses a folder that is not empty', () => {
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  const { status, stderr } = runDemo('--keep', folder);
  expect(status).toBe(1);
  expect(stderr).toContain(`The folder ${folder} is not empty. Name an empty one`);
  expect(stderr).not.toContain('    at ');
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
});

test('a wrong option is refused with its name, and no stack trace', () => {
  const { status, stderr } = runDemo('--kep', 'x');
  expect(status).toBe(1);
  expect(stderr).toContain("'--kep'");
  expect(stderr).not.toContain('    at ');
});
