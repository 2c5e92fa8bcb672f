import { AudienceApi, type ClientOptions } from './client/audience-api.js';
import type { ContactSchema } from './client/contact-schema.js';
import type { EmailSchema } from './client/email-schema.js';
import type { EventSchema } from './client/event-schema.js';
import { checkApiKey, credentialsFromEnv } from './client/credentials.js';
import { fetchTransport } from './http/fetch-transport.js';
import { systemRuntime } from './http/runtime.js';

export * from './exports.js';

/** Options of {@link AudienceClient} over `fetch`. */
export interface AudienceClientOptions<
  Schema extends ContactSchema = ContactSchema,
  Emails extends EmailSchema = EmailSchema,
  Events extends EventSchema = EventSchema,
> extends ClientOptions<Schema, Emails, Events> {
  /** The API key; it goes into the `Authorization` header and into nothing else. */
  readonly apiKey: string;
  /** Stands in for the runtime's own `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Client of the service over `fetch`: for edge runtimes, Deno, Bun and browsers' bundlers. */
export class AudienceClient<
  Schema extends ContactSchema = ContactSchema,
  Emails extends EmailSchema = EmailSchema,
  Events extends EventSchema = EventSchema,
> extends AudienceApi<Schema, Emails, Events> {
  /** @throws ValidationError for a base URL, API key or limit that cannot be used. */
  constructor(options: AudienceClientOptions<Schema, Emails, Events>) {
    checkApiKey(options);
    const { apiKey, fetch, ...rest } = options;
    super({
      ...rest,
      transport: fetchTransport(apiKey, fetch),
      runtime: systemRuntime,
      secrets: [apiKey],
    });
  }

  /** A client for `AUDIENCE_BASE_URL` and `AUDIENCE_API_KEY`. @throws ValidationError for a faulty one. */
  static fromEnv<
    Schema extends ContactSchema = ContactSchema,
    Emails extends EmailSchema = EmailSchema,
    Events extends EventSchema = EventSchema,
  >(
    options: Omit<AudienceClientOptions<Schema, Emails, Events>, 'baseUrl' | 'apiKey'> = {},
  ): AudienceClient<Schema, Emails, Events> {
    return new AudienceClient<Schema, Emails, Events>({ ...options, ...credentialsFromEnv() });
  }
}
