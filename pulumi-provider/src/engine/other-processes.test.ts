import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { claimsOfRun } from './other-processes.js';

// No engine listens at such a port; the process makes it one of its own.
const PORT = String(1_000_000 + process.pid);
const FOLDER = path.join(tmpdir(), `pulumi-audience-${userInfo().username}`);
const FILE = path.join(FOLDER, `${PORT}.claims`);
const claims = () => claimsOfRun(`127.0.0.1:${PORT}`, 'https://api.example.com');

afterEach(() => rmSync(FILE, { force: true }));

/** The claims as if another process had made them. */
function asProcess(pid: number): void {
  const lines = readFileSync(FILE, 'utf8');
  writeFileSync(FILE, lines.replaceAll(/^\d+ /gm, `${pid} `));
}

test('what a process claims is there for the others before its check is answered', () => {
  const own = claims();
  own?.add(['ada@example.com', 'user-ada']);
  own?.add(['bob@example.com']);
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines.join()).not.toContain('example.com');
  expect(own?.has(['bob@example.com'])).toBe(false);
  asProcess(process.ppid);
  const other = claims();
  expect([other?.has(['bob@example.com']), other?.has(['cleo@example.com'])]).toEqual([true, false]);
});

test('what a process claimed that has ended counts no more: the port may be that of another run by now', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  claims()?.add(['ada@example.com']);
  asProcess(pid);
  expect(claims()?.has(['ada@example.com'])).toBe(false);
});

test('what a process of this run has claimed counts after it has ended', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const own = claims();
  claims()?.add(['ada@example.com']);
  asProcess(pid);
  expect(own?.has(['ada@example.com'])).toBe(true);
});
