import { findCli } from './cli/find.js';
import type { Engine } from './engine.js';
import { standIn } from './stand-in/index.js';

export type * from './engine.js';
export { findCli, standIn };

/** What runs Pulumi programs with a dynamic provider here: the real CLI on the PATH, else the stand-in. */
export async function findEngine(): Promise<Engine> {
  return (await findCli('dynamic')) ?? standIn;
}
