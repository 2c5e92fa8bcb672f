import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** Runs the demo's command to its end; what it makes by itself lies under a folder of the caller's. */
export function runDemo(folder: string, ...args: string[]) {
  const tsx = join(ROOT, 'node_modules/.bin/tsx');
  const { status, stdout, stderr } = spawnSync(tsx, [join(ROOT, 'test/demo/main.ts'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: folder },
  });
  return { status, stdout, stderr };
}
