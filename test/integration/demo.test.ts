import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from '../demo/command.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audience-demo-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the demo refuses a folder that is not empty', () => {
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  const { status, stderr } = runDemo(folder, '--keep', folder);
  expect(status).toBe(1);
  expect(stderr).toContain(`The folder ${folder} is not empty. Name an empty one`);
  expect(stderr).not.toContain('    at ');
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
});

test('a wrong option is refused with its name, and no stack trace', () => {
  const { status, stderr } = runDemo(folder, '--kep', 'x');
  expect(status).toBe(1);
  expect(stderr).toContain("'--kep'");
  expect(stderr).not.toContain('    at ');
});
