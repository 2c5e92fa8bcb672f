import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { installN8n, isInstalled } from './install.js';

const ROOT = resolve(__dirname, '../../..');

/** `npm run n8n`: builds what it needs, and at the first start installs n8n meanwhile; then both are started. */
async function main(): Promise<void> {
  say(
    isInstalled()
      ? 'Building the node and the sandbox …'
      : 'The first start takes four to ten minutes, by the network and the machine; the next ones one or two.',
  );
  await Promise.all([build(), installN8n(say)]);
  const { runN8n } = await import('./start.js');
  await runN8n(say);
}

/** The sandbox and the node need the core. */
async function build(): Promise<void> {
  await npmRun('-w', 'audience-core');
  await npmRun('-w', 'audience-sandbox', '-w', 'n8n-nodes-audience');
}

async function npmRun(...workspaces: string[]): Promise<void> {
  await new Promise<void>((done, fail) => {
    const child = spawn('npm', ['run', '--silent', 'build', ...workspaces], { cwd: ROOT, stdio: 'inherit' });
    child.on('error', fail);
    child.on('exit', (code) => {
      if (code === 0) done();
      else fail(new Error('The packages could not be built.'));
    });
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const advice = inUse
    ? ' End what uses it, perhaps another npm run n8n or npm run sandbox, and start again.'
    : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${advice}\n`);
  process.exitCode = 1;
});
