import * as z from 'zod/mini';
import { createClient } from '../engine/connection.js';
import type { ReadSetting, SETTINGS } from '../engine/connection.js';
import { asProblems } from '../engine/errors.js';
import { UNKNOWN, unknownInputs } from '../resources/raw.js';
import type { Problem } from '../messages.js';
import type { Raw } from '../resources/raw.js';

export const argumentsSchema = z.object({
  baseUrl: z.optional(z.string()),
  apiKey: z.optional(z.string()),
  requestsPerSecond: z.optional(z.number()),
  concurrency: z.optional(z.int()),
  usedKeyStatus: z.optional(z.int()),
  allowInsecure: z.optional(z.boolean()),
} satisfies Record<(typeof SETTINGS)[number], z.ZodMiniType>);

/** Arguments for the engine. */
const OF_THE_ENGINE = ['version', 'pluginDownloadURL', 'pluginChecksums', 'parameterization', '__internal'];

export function settingsIn(args: Raw): ReadSetting {
  return (name) => {
    const value = args[name];
    const isGiven = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isGiven ? String(value) : undefined;
  };
}

/** Problems of a provider's arguments; those of the default provider are the stack's configuration. */
export async function argumentProblems(args: Raw, isDefault: boolean): Promise<readonly Problem[]> {
  const own = Object.entries(args).filter(([name]) => !OF_THE_ENGINE.includes(name));
  const unknown = unknownInputs(Object.fromEntries(own), Object.keys(argumentsSchema.shape), 'argument');
  if (unknown.length > 0) return unknown;
  // Unknown values are checked when they are known.
  if (Object.values(args).includes(UNKNOWN)) return [];
  const { problems } = await asProblems(() => {
    createClient(settingsIn(args), isDefault ? 'configuration' : 'arguments').close();
    return Promise.resolve({ problems: [] });
  });
  return problems;
}
