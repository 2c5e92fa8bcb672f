import { installN8n, isInstalled } from './install.js';

/** `npm run n8n`: installs n8n at the first start; then n8n and the sandbox are started. */
async function main(): Promise<void> {
  if (!isInstalled()) {
    say(
      'The first start takes four to ten minutes, by the network and the machine; the next ones one or two.',
    );
  }
  await installN8n(say);
  const { runN8n } = await import('./start.js');
  await runN8n(say);
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
