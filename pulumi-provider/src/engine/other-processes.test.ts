import { readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { claimsOfRun } from './other-processes.js';

test('what a process claims is there for the others before its check is answered', () => {
  // No engine listens at such a port; the process makes it one of its own.
  const port = String(1_000_000 + process.pid);
  const file = path.join(tmpdir(), `pulumi-audience-${userInfo().username}`, `${port}.claims`);
  try {
    const claims = claimsOfRun(`127.0.0.1:${port}`, 'https://api.example.com');
    claims?.add(['ada@example.com', 'user-ada']);
    claims?.add(['bob@example.com']);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain('example.com');
  } finally {
    rmSync(file, { force: true });
  }
});
