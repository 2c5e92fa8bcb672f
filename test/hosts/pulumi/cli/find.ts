import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Engine, ProviderKind } from '../engine.js';
import { CliStack } from './stack.js';

/** The real CLI on the PATH; `undefined` where there is none. */
export async function findCli(provider: ProviderKind): Promise<Engine | undefined> {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: 'true' };
  const found = await promisify(execFile)('pulumi', ['version'], { env }).catch(() => undefined);
  if (found === undefined) return undefined;
  return {
    name: `Pulumi CLI v${found.stdout.trim().replace(/^v/, '')}, ${provider} provider`,
    kind: 'cli',
    provider,
    createStack: (options) => CliStack.create(options),
  };
}
