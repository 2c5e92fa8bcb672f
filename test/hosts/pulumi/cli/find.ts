import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Engine, ProviderKind } from '../engine.js';
import { CliStack } from './stack.js';

/** The real CLI on the PATH; `undefined` where there is none. */
export async function findCli(provider: ProviderKind): Promise<Engine | undefined> {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: 'true' };
  const found = await promisify(execFile)('pulumi', ['version'], { env }).catch(() => undefined);
  return found === undefined ? undefined : cliWith(found.stdout.trim(), provider);
}

function cliWith(version: string, provider: ProviderKind): Engine {
  return {
    name: `Pulumi CLI ${version.startsWith('v') ? version : `v${version}`}, ${provider} provider`,
    kind: 'cli',
    provider,
    other: () => Promise.resolve(cliWith(version, provider === 'native' ? 'dynamic' : 'native')),
    createStack: (options) => CliStack.create(options),
  };
}
