import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a whole n8n is installed. */
export interface Installation {
  /** n8n's command. */
  readonly bin: string;
  /** Folder of the node package that n8n brings along. */
  readonly baseNodes: string;
}

const MARKER = join(__dirname, 'node_modules', '.complete');

/**
 * Installs n8n into this folder, unless that has been done for this very lock file. It takes some minutes and
 * about 3 GB, and reports how far it is.
 *
 * @throws Error that says which step failed and what npm said.
 */
export async function installN8n(report: (line: string) => void): Promise<Installation> {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 24) {
    throw new Error(
      `n8n needs Node 24, and this is ${process.version}. Start it by 'npm run n8n', which brings its own.`,
    );
  }
  const lock = createHash('sha256')
    .update(readFileSync(join(__dirname, 'package-lock.json')))
    .digest('hex');
  if (!existsSync(MARKER) || readFileSync(MARKER, 'utf8') !== lock) {
    report('Installing n8n into test/hosts/n8n: once, about 3 GB, five to ten minutes.');
    // Most of n8n's install scripts compile what it does not need here; the two that it needs run afterwards.
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], 'downloading', report);
    await npm(['rebuild', 'sqlite3', 'isolated-vm', '--no-audit'], 'building two native modules', report);
    writeFileSync(MARKER, lock);
  }
  return {
    bin: join(__dirname, 'node_modules', 'n8n', 'bin', 'n8n'),
    baseNodes: join(__dirname, 'node_modules', 'n8n-nodes-base'),
  };
}

async function npm(args: string[], what: string, report: (line: string) => void): Promise<void> {
  const begun = Date.now();
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const progress = setInterval(() => {
    report(`  … ${what}, ${seconds()} so far`);
  }, 15_000);
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn('npm', args, { cwd: __dirname, stdio: ['ignore', 'ignore', 'pipe'] });
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
    report(`  … ${what}: done in ${seconds()}`);
  } finally {
    clearInterval(progress);
  }
}
