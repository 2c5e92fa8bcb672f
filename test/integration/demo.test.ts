import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audience-demo-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function demo(...args: string[]) {
  const tsx = join(ROOT, 'node_modules/.bin/tsx');
  const { status, stdout, stderr } = spawnSync(tsx, [join(ROOT, 'test/demo/main.ts'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: folder },
  });
  return { status, stdout, stderr };
}

test('a folder that holds something is left alone, and the demo says so', () => {
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  const { status, stderr } = demo('--keep', folder);
  expect(status).toBe(1);
  expect(stderr).toContain(`The folder ${folder} is not empty. Name an empty one`);
  expect(stderr).not.toContain('    at ');
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
});

test('a wrong option is refused with its name, and no stack trace', () => {
  const { status, stderr } = demo('--kep', 'x');
  expect(status).toBe(1);
  expect(stderr).toContain("'--kep'");
  expect(stderr).not.toContain('    at ');
});
