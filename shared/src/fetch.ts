import { AudienceApi, type ClientOptions } from './client/audience-api.js';
import { checkApiKey, credentialsFromEnv } from './client/credentials.js';
import type { AccountSchema } from './client/schema.js';
import { fetchTransport } from './http/fetch-transport.js';
import { systemRuntime } from './http/runtime.js';

export * from './exports.js';

/** Options of {@link AudienceClient} over `fetch`. */
export interface AudienceClientOptions<
  Schema extends AccountSchema = AccountSchema,
> extends ClientOptions<Schema> {
  /** The API key; it goes into the `Authorization` header and into nothing else. */
  readonly apiKey: string;
  /** Stands in for the runtime's own `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Client of the service over `fetch`: for edge runtimes, Deno, Bun and browsers' bundlers. */
export class AudienceClient<Schema extends AccountSchema = AccountSchema> extends AudienceApi<Schema> {
  /** @throws ValidationError for a base URL, API key or limit that cannot be used. */
  constructor(options: AudienceClientOptions<Schema>) {
    checkApiKey(options);
    const { apiKey, fetch, ...rest } = options;
    super({ ...rest, transport: fetchTransport(apiKey, fetch), runtime: systemRuntime, secrets: [apiKey] });
  }

  /** A client for `AUDIENCE_BASE_URL` and `AUDIENCE_API_KEY`. @throws ValidationError for a faulty one. */
  static fromEnv<Schema extends AccountSchema = AccountSchema>(
    options: Omit<AudienceClientOptions<Schema>, 'baseUrl' | 'apiKey'> = {},
  ): AudienceClient<Schema> {
    return new AudienceClient<Schema>({ ...options, ...credentialsFromEnv() });
  }
}
