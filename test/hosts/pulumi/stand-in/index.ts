import { version } from '@pulumi/pulumi/package.json';
import type { Engine, ProviderKind } from '../engine.js';
import { StandInStack } from './stack.js';

/**
 * Speaks the engine's own gRPC protocol to the SDK's runner of programs, and to the SDK's dynamic provider process or
 * to our plugin.
 */
const standInFor = (provider: ProviderKind): Engine => ({
  name: `stand-in for the Pulumi engine over gRPC, @pulumi/pulumi ${version}, ${provider} provider`,
  kind: 'stand-in',
  provider,
  other: () => Promise.resolve(standInFor(provider === 'native' ? 'dynamic' : 'native')),
  createStack: (options) => Promise.resolve(new StandInStack(options, provider)),
});

/** The stand-in with the dynamic provider. */
export const standIn = standInFor('dynamic');

/** The stand-in with the native plugin. */
export const nativeStandIn = standInFor('native');
