import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/v4';
import type { Engine, ProviderKind } from '../engine.js';
import { CliStack } from './stack.js';

const run = promisify(execFile);

/** The real CLI from the PATH, else from the npm package `pulumi`; `undefined` where there is none. */
export async function findCli(provider: ProviderKind): Promise<Engine | undefined> {
  for (const command of ['pulumi', npmPackageCommand()]) {
    if (command === undefined) continue;
    const version = await versionOf(command);
    if (version === undefined) continue;
    return cliWith(command, version, provider);
  }
  return undefined;
}

function cliWith(command: string, version: string, provider: ProviderKind): Engine {
  return {
    name: `Pulumi CLI ${version}, ${provider} provider`,
    kind: 'cli',
    provider,
    other: () => Promise.resolve(cliWith(command, version, provider === 'native' ? 'dynamic' : 'native')),
    createStack: (options) => CliStack.create(command, options),
  };
}

async function versionOf(command: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(command, ['version'], {
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: 'true' },
    });
    const version = stdout.trim();
    return version === '' ? undefined : version.startsWith('v') ? version : `v${version}`;
  } catch {
    return undefined;
  }
}

const manifestSchema = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

function npmPackageCommand(): string | undefined {
  const require = createRequire(__filename);
  try {
    const file = require.resolve('pulumi/package.json');
    const { bin } = manifestSchema.parse(require(file));
    const script = typeof bin === 'string' ? bin : bin['pulumi'];
    return script === undefined ? undefined : path.join(path.dirname(file), script);
  } catch {
    return undefined;
  }
}
