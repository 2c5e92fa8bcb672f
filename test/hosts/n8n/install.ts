import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/v4-mini';

/** Folder of the node package that n8n brings along, once it is installed. */
export const BASE_NODES = join(__dirname, 'node_modules', 'n8n-nodes-base');

/** n8n's command, once it is installed. */
export const N8N_COMMAND = join(__dirname, 'node_modules', 'n8n', 'bin', 'n8n');

const MARKER = join(__dirname, 'node_modules', '.complete');
const LOCK = join(__dirname, 'package-lock.json');

/** Whether n8n is installed here, as the lock file says. */
export function isInstalled(): boolean {
  return existsSync(MARKER) && readFileSync(MARKER, 'utf8') === hashOfLock();
}

/**
 * Installs n8n into this folder, unless that has been done for this very lock file. It takes some minutes and
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
  if (!isInstalled()) {
    report('Installing n8n into test/hosts/n8n: once, about 3 GB.');
    report('  1 of 2: downloading and unpacking, two to five minutes');
    // Most of n8n's install scripts compile what it does not need here; the two that it needs run afterwards.
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], report, unpacked);
    report(
      '  2 of 2: its database, which is compiled for one to four minutes where npm finds no ready-made one',
    );
    await npm(['rebuild', 'sqlite3', 'isolated-vm', '--no-audit'], report);
    writeFileSync(MARKER, hashOfLock());
  }
}

function hashOfLock(): string {
  return createHash('sha256').update(readFileSync(LOCK)).digest('hex');
}

/** How much of n8n is there, such as `812 of 2300 packages`. */
function unpacked(): string {
  const { packages } = z.object({ packages: z.record(z.string(), z.unknown()) }).parse(readLock());
  const folders = Object.keys(packages).filter((folder) => folder !== '');
  const there = folders.filter((folder) => existsSync(join(__dirname, folder, 'package.json')));
  return `${there.length} of ${folders.length} packages`;
}

function readLock(): unknown {
  return JSON.parse(readFileSync(LOCK, 'utf8'));
}

async function npm(
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
    await new Promise<void>((resolve, reject) => {
      const child = spawn('npm', args, { cwd: __dirname, env, stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-4000);
      });
      child.on('error', reject);
      child.on('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`'npm ${args.join(' ')}' failed with status ${code ?? 'unknown'}:\n${said}`));
      });
    });
    report(`    done in ${seconds()}`);
  } finally {
    clearInterval(progress);
  }
}
