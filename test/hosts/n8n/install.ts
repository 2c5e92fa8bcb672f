import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/v4-mini';

const lockText = readFileSync(join(__dirname, 'package-lock.json'), 'utf8');

/** All that keeps things of this project for a user, as the Pulumi CLI too. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'audience');

/** One for each lock file, and for each ABI of Node: the database is compiled for it. */
const FOLDER = join(
  CACHE,
  `n8n-${createHash('sha256').update(lockText).digest('hex').slice(0, 12)}-${process.versions.modules}`,
);

/** Folder of the node package that n8n brings along, once it is installed. */
export const BASE_NODES = join(FOLDER, 'node_modules', 'n8n-nodes-base');

/** n8n's command, once it is installed. */
export const N8N_COMMAND = join(FOLDER, 'node_modules', 'n8n', 'bin', 'n8n');

/** Whether n8n is installed for this user, as the lock file says. */
export function isInstalled(): boolean {
  return existsSync(FOLDER);
}

/**
 * Installs n8n into the user's cache, unless that has been done for this very lock file. It takes some minutes and
 * about 3 GB, and reports how far it is.
 *
 * @throws Error that says which step failed and what npm said.
 */
export async function installN8n(report: (line: string) => void): Promise<void> {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 24) {
    throw new Error(
      `n8n needs Node 24, and this is ${process.version}. Start it by 'npm run n8n', which brings its own.`,
    );
  }
  if (isInstalled()) return;
  await mkdir(CACHE, { recursive: true });
  // It gets its name when it is complete, so that others never see half of it.
  const folder = await mkdtemp(`${FOLDER}-`);
  try {
    for (const file of ['package.json', 'package-lock.json'])
      await copyFile(join(__dirname, file), join(folder, file));
    report(`Installing n8n into ${FOLDER}: once, about 3 GB.`);
    report('  1 of 2: downloading and unpacking, two to five minutes');
    // Most of n8n's install scripts compile what it does not need here; the two that it needs run afterwards.
    await npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], report, () => unpacked(folder));
    report(
      '  2 of 2: its database, which is compiled for one to four minutes where npm finds no ready-made one',
    );
    await npm(folder, ['rebuild', 'sqlite3', 'isolated-vm', '--no-audit'], report);
    await rename(folder, FOLDER).catch((error: unknown) => {
      // Another one was quicker.
      if (!isInstalled()) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How much of n8n is there, such as `812 of 2300 packages`. */
function unpacked(folder: string): string {
  const { packages } = z.object({ packages: z.record(z.string(), z.unknown()) }).parse(JSON.parse(lockText));
  const names = Object.keys(packages).filter((name) => name !== '');
  const there = names.filter((name) => existsSync(join(folder, name, 'package.json')));
  return `${there.length} of ${names.length} packages`;
}

async function npm(
  cwd: string,
  args: string[],
  report: (line: string) => void,
  howFar: () => string = () => '',
): Promise<void> {
  const begun = Date.now();
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const progress = setInterval(() => {
    report(`    … ${[seconds(), howFar()].filter((part) => part !== '').join(', ')}`);
  }, 15_000);
  // A database for trying out need not be the fastest, and is compiled in a fraction of the time.
  const env = { ...process.env, CFLAGS: '-O1', CXXFLAGS: '-O1', JOBS: 'max' };
  try {
    await promisify(execFile)('npm', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
    report(`    done in ${seconds()}`);
  } finally {
    clearInterval(progress);
  }
}
