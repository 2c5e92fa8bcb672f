import type { AudienceClient } from 'audience-core';
import { seedSchema, timestampSchema, type Seed } from '../seed/schema.js';
import { readAs } from '../read-as.js';

/**
 * Reads designs, subscription groups and custom properties of an account as a seed; each design gets a body that shows
 * its variables. @throws AudienceError when the account cannot be read; SandboxError for what no sandbox could hold.
 */
export async function pullAccount(audience: AudienceClient): Promise<Seed> {
  const designs = new Map<string, NonNullable<Seed['designs']>[number]>();
  for await (const { id, name, lastUpdated, dataVariables } of audience.transactional.iterate()) {
    const time = timestampSchema.safeParse(lastUpdated).success ? { lastUpdated } : {};
    // A list that changes while it is read can hold a design twice.
    designs.set(id, { id, name, ...time, dataVariables });
  }
  const groups = await audience.subscriptionGroups.list();
  const properties = await audience.properties.list({ list: 'custom' });
  const seed = {
    designs: [...designs.values()],
    subscriptionGroups: groups.map(({ id, name, description }) => ({
      id,
      name,
      description: description ?? null,
    })),
    properties: properties.map(({ key, type, label }) => ({
      name: key,
      type,
      ...(typeof label === 'string' ? { label } : {}),
    })),
  };
  return readAs(seedSchema, seed, 'a seed');
}
