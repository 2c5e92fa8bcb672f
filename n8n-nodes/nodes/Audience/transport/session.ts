import { ValidationError } from 'audience-core';
import { AudienceApi } from 'audience-core/host';
import type { ContactProperty, PropertyType } from 'audience-core';
import type { Runtime } from 'audience-core/host';
import { randomUUID } from 'node:crypto';
import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import * as z from 'zod';
import { CREDENTIAL, hostTransport } from './host-transport.js';

/** Limits of a node, as set in its options. */
export interface SessionLimits {
  /** Requests begun per second, at most; adapted to the service where it is not given. */
  readonly requestsPerSecond?: number | undefined;
  /** Items under way at once. */
  readonly concurrency?: number | undefined;
  /** Time for one request, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Further tries of a request that failed for a reason that may pass. */
  readonly maxRetries?: number | undefined;
}

/** A person is waiting for a list in the editor. */
export const EDITOR_LIMITS: SessionLimits = { timeoutMs: 10_000, maxRetries: 1 };

const credentialSchema = z.object({
  baseUrl: z.string().default(''),
  apiKey: z.string().default(''),
  allowInsecure: z.boolean().default(false),
});

/** The service, as one run of the node or one question of the editor uses it. */
export class Session {
  #propertyTypes: Promise<ReadonlyMap<string, PropertyType>> | undefined;

  constructor(readonly api: AudienceApi) {}

  /** Types of all contact properties by name, asked for once. */
  async propertyTypes(): Promise<ReadonlyMap<string, PropertyType>> {
    this.#propertyTypes ??= this.api.properties.list().then(typesByName);
    return await this.#propertyTypes;
  }
}

function typesByName(properties: readonly ContactProperty[]): ReadonlyMap<string, PropertyType> {
  return new Map(properties.map(({ key, type }) => [key, type]));
}

/** n8n allows no timers of one's own; everything else is plain. */
const runtime: Runtime = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, signal),
  random: () => Math.random(),
  randomUUID: () => randomUUID(),
};

/**
 * Opens the service with the node's credential.
 *
 * @throws ValidationError for an address or key that cannot be used.
 */
export async function openSession(
  context: IExecuteFunctions | ILoadOptionsFunctions,
  limits: SessionLimits = {},
): Promise<Session> {
  const credential = await context.getCredentials(CREDENTIAL);
  const { baseUrl, apiKey, allowInsecure } = credentialSchema.parse(credential);
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ValidationError('The credential cannot be used', [
      {
        path: ['apiKey'],
        message:
          apiKey === '' ? 'is empty' : 'holds a space, a line break or another character that no key has',
      },
    ]);
  }
  return new Session(
    new AudienceApi({
      baseUrl,
      allowInsecure,
      transport: hostTransport(context, credential),
      runtime,
      secrets: [apiKey],
      userAgent: 'n8n-nodes-audience',
      ...limits,
    }),
  );
}
