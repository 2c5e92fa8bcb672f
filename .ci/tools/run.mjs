// Runs a tool that `npm ci` does not install: `node .ci/tools/run.mjs TOOL ARGUMENTS...`.
// TOOL is a command of an npm package, or a script of this folder. The packages are installed on first use and after
// a change of their lock file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const installed = join(folder, 'node_modules', '.installed');
const lock = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex');

function run(command, args, options) {
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  if (error !== undefined) throw error;
  return status ?? 1;
}

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
  // What it prints must not stand among what the tool prints.
  const status = run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status);
  writeFileSync(installed, lock);
}

const [tool, ...args] = process.argv.slice(2);
if (tool === undefined) throw new Error('Which tool? node .ci/tools/run.mjs TOOL ARGUMENTS...');
process.exitCode = tool.endsWith('.mjs')
  ? run(process.execPath, [join(folder, tool), ...args])
  : run(join(folder, 'node_modules', '.bin', tool), args);
