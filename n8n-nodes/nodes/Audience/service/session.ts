import type { ContactProperty, SubscriptionGroup } from 'audience-core';
import {
  AudienceApi,
  checkApiKey,
  propertyNameProblem,
  usedKeyStatusSchema,
  validate,
  type AudienceApiOptions,
  type Runtime,
  type Transport,
} from 'audience-core/internal';
import { randomUUID } from 'node:crypto';
import {
  sleep,
  type ICredentialDataDecryptedObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
} from 'n8n-workflow';
import * as z from 'zod/mini';
import { Designs, shared } from './designs.js';
import { CREDENTIAL, hostTransport } from './host-transport.js';
import { hashOf } from '../host/host.js';

type SessionLimits = Pick<AudienceApiOptions, 'timeoutMs' | 'deadlineMs' | 'maxRetries'>;

/** A user is waiting for a list in the editor. */
const EDITOR_LIMITS: SessionLimits = { timeoutMs: 10_000, deadlineMs: 25_000, maxRetries: 1 };

/** In a run a service may ask to wait for some minutes. */
export const RUN_LIMITS: SessionLimits = { timeoutMs: 30_000, deadlineMs: 15 * 60_000, maxRetries: 5 };

/** The service, as one run of the node or one question of the editor uses it. What it lists is read once. */
export class Session {
  readonly designs: Designs;
  /** Contact properties of the account's own, by name. */
  readonly customProperties: () => Promise<ReadonlyMap<string, ContactProperty>>;
  readonly subscriptionGroups: () => Promise<readonly SubscriptionGroup[]>;

  /** @param signal ends the reading of lists when the execution is cancelled. */
  constructor(
    readonly api: AudienceApi,
    readonly account: string,
    signal?: AbortSignal,
  ) {
    this.designs = new Designs(api, account, signal);
    this.subscriptionGroups = shared(() => api.subscriptionGroups.list({ signal }));
    this.customProperties = shared(async () => {
      const properties = await api.properties.list({ list: 'custom' }, { signal });
      const own = properties.filter(({ key }) => propertyNameProblem(key) === undefined);
      return new Map(own.map((property) => [property.key, property]));
    });
  }
}

const statusSchema = z.object({ usedKeyStatus: z.optional(usedKeyStatusSchema) });

/** A text of the credential, without the blanks that come with a copied one. */
function trimmed(given: unknown): string {
  return typeof given === 'string' ? given.trim() : '';
}

/** n8n allows no timers of one's own; everything else is plain. */
const runtime: Runtime = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, signal),
  random: () => Math.random(),
  randomUUID: () => randomUUID(),
};

/** Opens the service with the node's credential. */
export async function openSession(
  context: IExecuteFunctions | ILoadOptionsFunctions,
  limits: SessionLimits = EDITOR_LIMITS,
  signal?: AbortSignal,
): Promise<Session> {
  const credential = await context.getCredentials(CREDENTIAL);
  const api = createApi(credential, () => hostTransport(context, credential), limits);
  return new Session(api, hashOf([api.baseUrl, trimmed(credential['apiKey'])]).slice(0, 12), signal);
}

/** The service of a credential. @throws ValidationError for an address or key that cannot be used. */
export function createApi(
  credential: ICredentialDataDecryptedObject,
  transportFor: (apiKey: string) => Transport,
  limits = EDITOR_LIMITS,
): AudienceApi {
  const { allowInsecure, usedKeyStatus } = credential;
  // Every path begins with /v1, and users copy it with the address.
  const address = trimmed(credential['baseUrl']).replace(/\/v1\/*$/, '');
  const what = 'The credential cannot be used';
  const apiKey = checkApiKey({ apiKey: trimmed(credential['apiKey']) }, what);
  // 0 in the form: the user says nothing of it.
  const status = validate(
    statusSchema,
    { usedKeyStatus: usedKeyStatus === 0 ? undefined : usedKeyStatus },
    what,
  );
  return new AudienceApi({
    baseUrl: address,
    allowInsecure: allowInsecure === true,
    transport: transportFor(apiKey),
    runtime,
    secrets: [apiKey],
    ...status,
    userAgent: 'n8n-nodes-audience',
    ...limits,
  });
}
