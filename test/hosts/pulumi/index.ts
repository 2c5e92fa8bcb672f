import { findCli } from './cli/find.js';
import type { Engine, ProviderKind } from './engine.js';
import { nativeStandIn, standIn } from './stand-in/index.js';

export type * from './engine.js';
export { nativeStandIn, standIn };

/**
 * The engine to run Pulumi programs with: the real CLI where there is one (on the PATH, else from the npm
 * package `pulumi`), else the stand-in.
 */
export async function findEngine(provider: ProviderKind = 'dynamic'): Promise<Engine> {
  return (await findCli(provider)) ?? (provider === 'native' ? nativeStandIn : standIn);
}
