import type { ContactProperty, PropertyType, SubscriptionGroup, TransactionalEmail } from 'audience-core';
import {
  AudienceApi,
  checkApiKey,
  propertyNameProblem,
  type AudienceApiOptions,
  type Runtime,
  type Transport,
} from 'audience-core/internal';
import { randomUUID } from 'node:crypto';
import {
  sleep,
  type ICredentialDataDecryptedObject,
  type ICredentialTestFunctions,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
} from 'n8n-workflow';
import { CREDENTIAL, credentialTestTransport, hostTransport } from './host-transport.js';
import { shortHash } from '../host/host.js';

type SessionLimits = Pick<AudienceApiOptions, 'timeoutMs' | 'deadlineMs' | 'maxRetries'>;

/** A person is waiting for a list in the editor. */
const EDITOR_LIMITS: SessionLimits = { timeoutMs: 10_000, deadlineMs: 25_000, maxRetries: 1 };

/** In a run a service may ask to wait for some minutes. */
export const RUN_LIMITS: SessionLimits = { timeoutMs: 30_000, deadlineMs: 15 * 60_000, maxRetries: 5 };

/** A read that failed so often in one run is not repeated: a service that is down would delay every item. */
const MOST_FAILURES = 3;

/** A read that all items of a run share. After a failure the next item repeats it, twice at most. */
class SharedRead<Result> {
  #reading: Promise<Result> | undefined;
  #failures = 0;

  constructor(private readonly read: () => Promise<Result>) {}

  get(): Promise<Result> {
    if (this.#reading !== undefined) return this.#reading;
    const reading = this.read();
    this.#reading = reading;
    reading.catch(() => {
      this.#failures += 1;
      if (this.#failures < MOST_FAILURES) this.#reading = undefined;
    });
    return reading;
  }
}

/** The service, as one run of the node or one question of the editor uses it. What it lists is read once. */
export class Session {
  /** Contact properties that this run creates, by name. */
  readonly created = new Map<string, Promise<PropertyType>>();
  readonly #designs: SharedRead<ReadonlyMap<string, TransactionalEmail>>;
  readonly #properties: SharedRead<ReadonlyMap<string, ContactProperty>>;
  readonly #groups: SharedRead<readonly SubscriptionGroup[]>;

  /** @param signal ends the reading of lists when the execution is cancelled. */
  constructor(
    readonly api: AudienceApi,
    readonly account: string,
    signal?: AbortSignal,
  ) {
    this.#designs = new SharedRead(async () => {
      const designs = new Map<string, TransactionalEmail>();
      for await (const design of api.transactional.iterate({ signal })) designs.set(design.id, design);
      return designs;
    });
    this.#groups = new SharedRead(() => api.subscriptionGroups.list({ signal }));
    this.#properties = new SharedRead(async () => {
      const properties = await api.properties.list({ list: 'custom' }, { signal });
      const own = properties.filter(({ key }) => propertyNameProblem(key) === undefined);
      return new Map(own.map((property) => [property.key, property]));
    });
  }

  /** The email design of that id, `undefined` where there is none. */
  async design(id: string): Promise<TransactionalEmail | undefined> {
    return (await this.#designs.get()).get(id);
  }

  subscriptionGroups(): Promise<readonly SubscriptionGroup[]> {
    return this.#groups.get();
  }

  /** Contact properties of the account's own, by name. */
  customProperties(): Promise<ReadonlyMap<string, ContactProperty>> {
    return this.#properties.get();
  }
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
  limits: SessionLimits = EDITOR_LIMITS,
  signal?: AbortSignal,
): Promise<Session> {
  const credential = await context.getCredentials(CREDENTIAL);
  const api = createApi(credential, () => hostTransport(context, credential), limits);
  return new Session(api, shortHash([api.baseUrl, credential['apiKey']]), signal);
}

/**
 * The service for the test of a credential, by the same rules as a run.
 *
 * @throws ValidationError for an address or key that cannot be used.
 */
export function openForTest(
  context: ICredentialTestFunctions,
  credential: ICredentialDataDecryptedObject,
): AudienceApi {
  return createApi(credential, (apiKey) => credentialTestTransport(context, apiKey), EDITOR_LIMITS);
}

function createApi(
  credential: ICredentialDataDecryptedObject,
  transportFor: (apiKey: string) => Transport,
  limits: SessionLimits,
): AudienceApi {
  const { baseUrl, allowInsecure, usedKeyStatus } = credential;
  // Every path begins with /v1, and users copy it with the address.
  const address = typeof baseUrl === 'string' ? baseUrl.trim().replace(/\/v1\/*$/, '') : '';
  const apiKey = checkApiKey(credential, 'The credential cannot be used');
  return new AudienceApi({
    baseUrl: address,
    allowInsecure: allowInsecure === true,
    transport: transportFor(apiKey),
    runtime,
    secrets: [apiKey],
    // 0 in the form: the user says nothing of it.
    usedKeyStatus: Number(usedKeyStatus) || undefined,
    userAgent: 'n8n-nodes-audience',
    ...limits,
  });
}
