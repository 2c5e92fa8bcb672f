import { version } from '@pulumi/pulumi/package.json';
import type { Engine } from '../engine.js';
import { StandInStack } from './stack.js';

/** Speaks the engine's own gRPC protocol to the SDK's runner of programs and to its dynamic provider process. */
export const standIn: Engine = {
  name: `stand-in for the Pulumi engine over gRPC, @pulumi/pulumi ${version}`,
  kind: 'stand-in',
  provider: 'dynamic',
  createStack: (options) => Promise.resolve(new StandInStack(options)),
};
