import { findCli } from './cli/find.js';
import type { Engine } from './engine.js';
import { standIn } from './stand-in/index.js';

export type * from './engine.js';
export { standIn };

/**
 * The engine to run Pulumi programs with: the real CLI where there is one (on the PATH, else from the npm
 * package `pulumi`), else the stand-in.
 */
export async function findEngine(): Promise<Engine> {
  return (await findCli()) ?? standIn;
}
