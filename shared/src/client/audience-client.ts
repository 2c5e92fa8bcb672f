/// <reference types="node" preserve="true" />
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { axiosTransport } from '../http/axios-transport.js';
import { systemRuntime, type Runtime } from '../http/runtime.js';
import type { Transport } from '../http/transport.js';
import { AudienceApi, type ClientOptions } from './audience-api.js';
import { checkApiKey, credentialsFromEnv } from './credentials.js';
import type { AccountSchema } from './schema.js';

/** Options of {@link AudienceClient}. */
export interface AudienceClientOptions<
  Schema extends AccountSchema = AccountSchema,
> extends ClientOptions<Schema> {
  /** The API key; it goes into the `Authorization` header and into nothing else. */
  readonly apiKey: string;
  /** Agent for http addresses. */
  readonly httpAgent?: HttpAgent | undefined;
  /**
   * Agent for https addresses: give one for a certificate authority of your own. Without one, the proxy that
   * `HTTPS_PROXY` and `NO_PROXY` name is used.
   */
  readonly httpsAgent?: HttpAgent | HttpsAgent | undefined;
  /** Replaces axios; the given function then adds the `Authorization` header itself. */
  readonly transport?: Transport | undefined;
  /** Replaces clock, timers and randomness, for tests. */
  readonly runtime?: Runtime | undefined;
}

/** axios asks for this probe interval, too; another one would be set on the socket twice for each request. */
const KEPT_ALIVE = { keepAlive: true, keepAliveMsecs: 60_000 } as const;

/**
 * Client of the service, over axios with connections kept alive.
 *
 * ```ts
 * const audience = AudienceClient.fromEnv();
 * await audience.transactional.send({ email: 'ada@example.com', transactionalId: 'design-welcome' });
 * ```
 */
export class AudienceClient<Schema extends AccountSchema = AccountSchema> extends AudienceApi<Schema> {
  readonly #ownAgents: readonly (HttpAgent | HttpsAgent)[];

  /** @throws ValidationError for a base URL, API key or limit that cannot be used. */
  constructor(options: AudienceClientOptions<Schema>) {
    checkApiKey(options);
    const { apiKey, httpAgent, httpsAgent, transport, runtime = systemRuntime, ...rest } = options;
    const own = { http: new HttpAgent(KEPT_ALIVE), https: new HttpsAgent(KEPT_ALIVE) };
    const axiosOptions = {
      apiKey,
      httpAgent: httpAgent ?? own.http,
      httpsAgent: httpsAgent ?? own.https,
      proxyFromEnv: httpsAgent === undefined,
    };
    super({ ...rest, transport: transport ?? axiosTransport(axiosOptions), runtime, secrets: [apiKey] });
    this.#ownAgents = [own.http, own.https];
  }

  /** A client for `AUDIENCE_BASE_URL` and `AUDIENCE_API_KEY`. @throws ValidationError for a faulty one. */
  static fromEnv<Schema extends AccountSchema = AccountSchema>(
    options: Omit<AudienceClientOptions<Schema>, 'baseUrl' | 'apiKey'> = {},
  ): AudienceClient<Schema> {
    return new AudienceClient<Schema>({ ...options, ...credentialsFromEnv() });
  }

  /** Closes the connections that are kept alive. Calls can still be made; they open new ones. */
  close(): void {
    for (const agent of this.#ownAgents) agent.destroy();
  }
}
