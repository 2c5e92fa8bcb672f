import type { CallLimits, CallOptions, GivenCallLimits } from '../http/call.js';
import type { OnAttempt } from '../http/on-attempt.js';
import { validate } from '../issues.js';
import { CANNOT_BE_MADE } from '../messages.js';
import * as z from '../zod.js';
import { normalizeBaseUrl } from '../http/base-url.js';
import { checkHeaders, limitSchemas, withLimits } from '../http/call-options.js';
import type { LimiterOptions } from '../http/limiter.js';
import { Pipeline } from '../http/pipeline.js';
import { createRedactor } from '../http/redact.js';
import type { Runtime } from '../http/runtime.js';
import type { Transport } from '../http/transport.js';
import { VERSION } from '../version.js';
import { apiCall } from './calls.js';
import type { ApiCall } from './types.js';
import { contactSchemaOf, defineContactSchema, type ContactSchema } from './contact-schema.js';
import { ContactsResource } from './contacts.js';
import { defineEmailSchema, type EmailSchema } from './email-schema.js';
import { defineEventSchema, type EventSchema } from './event-schema.js';
import { EventsResource } from './events.js';
import { PropertiesResource } from './properties.js';
import { SubscriptionGroupsResource } from './subscription-groups.js';
import { TransactionalResource } from './transactional.js';

/** Options that a client has in every host. */
export interface ClientOptions<
  Schema extends ContactSchema = ContactSchema,
  Emails extends EmailSchema = EmailSchema,
  Events extends EventSchema = EventSchema,
>
  extends GivenCallLimits, LimiterOptions {
  /** Address of the service, with a path prefix where it has one; the paths add `/v1` and what follows. */
  readonly baseUrl: string;
  /** Allows plain http to other machines too; the API key then crosses the network in the open. */
  readonly allowInsecure?: boolean | undefined;
  /** Whether errors quote the service's responses; `true` unless given. Responses can hold personal data. */
  readonly bodySnippets?: boolean | undefined;
  /** Custom properties of contacts, for typed contacts, updates and events. */
  readonly contactSchema?: Schema | undefined;
  /** Designs with their variables, for emails that are checked before they are sent. */
  readonly emailSchema?: Emails | undefined;
  /** Events with the types of their properties, for events that are checked before they are sent. */
  readonly eventSchema?: Events | undefined;
  /** Text for the `User-Agent` header. */
  readonly userAgent?: string | undefined;
  /**
   * The status that this service uses only for "a request with this idempotency key was carried out": never for one in
   * progress, one that failed, or a conflict of contacts. Else leave it unset. It then counts as success
   * (`deduplicated: true`), if an earlier request with the key may have arrived.
   */
  readonly usedKeyStatus?: number | undefined;
  /** Gets each attempt with its status and time. Its path can hold an email address. */
  readonly onAttempt?: OnAttempt | undefined;
}

/** Options of a client whose host provides transport and runtime. */
export interface AudienceApiOptions<
  Schema extends ContactSchema = ContactSchema,
  Emails extends EmailSchema = EmailSchema,
  Events extends EventSchema = EventSchema,
> extends ClientOptions<Schema, Emails, Events> {
  readonly transport: Transport;
  readonly runtime: Runtime;
  /** Texts that must be in no error, such as the API key that the transport adds. */
  readonly secrets?: readonly string[] | undefined;
}

const given = z.optional(z.unknown());
const onOrOff = z.optional(z.boolean());

/** What options there are; those that are just `given` are checked where they are used. */
const shape = z.strictObject({
  ...limitSchemas,
  ...{ baseUrl: given, contactSchema: given, emailSchema: given, eventSchema: given, userAgent: given },
  ...{ transport: given, runtime: given, secrets: given },
  ...{ allowInsecure: onOrOff, bodySnippets: onOrOff, adaptive: onOrOff },
  usedKeyStatus: z.optional(z.custom(isRefusalStatus, 'status')),
  onAttempt: z.optional(z.custom((hook) => typeof hook === 'function', 'function')),
} satisfies Record<keyof AudienceApiOptions, z.ZodMiniType>);

function isRefusalStatus(status: unknown): boolean {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599;
}

const DEFAULT_LIMITS: CallLimits = { timeoutMs: 30_000, deadlineMs: 120_000, maxRetries: 5 };

/** The service's calls over a transport that the host gives. `AudienceClient` is this over axios or `fetch`. */
export class AudienceApi<
  Schema extends ContactSchema = ContactSchema,
  Emails extends EmailSchema = EmailSchema,
  Events extends EventSchema = EventSchema,
> {
  /** List and send transactional emails. */
  readonly transactional: TransactionalResource<Emails>;
  /** Read and update contacts. */
  readonly contacts: ContactsResource<Schema>;
  /** List and create contact properties. */
  readonly properties: PropertiesResource;
  /** List subscription groups. */
  readonly subscriptionGroups: SubscriptionGroupsResource;
  /** Send events. */
  readonly events: EventsResource<Schema, Events>;
  /** Address of the service, as calls are made to it. */
  readonly baseUrl: string;

  readonly #pipeline: Pipeline;

  /** @throws ValidationError for an unknown option, and a base URL or a limit that cannot be used. */
  constructor(options: AudienceApiOptions<Schema, Emails, Events>) {
    validate(shape, options, CANNOT_BE_MADE);
    const { contactSchema, emailSchema, eventSchema, secrets = [], bodySnippets = true } = options;
    const { userAgent = `audience-core/${VERSION}` } = options;
    if (contactSchema !== undefined) defineContactSchema(contactSchema);
    if (emailSchema !== undefined) defineEmailSchema(emailSchema);
    if (eventSchema !== undefined) defineEventSchema(eventSchema);
    checkHeaders({ 'user-agent': userAgent });
    this.baseUrl = normalizeBaseUrl(options.baseUrl, options.allowInsecure);
    const pipeline = new Pipeline({
      ...options,
      baseUrl: this.baseUrl,
      limits: withLimits(options, DEFAULT_LIMITS),
      redact: createRedactor(secrets),
      bodySnippets,
      userAgent,
    });
    this.#pipeline = pipeline;
    this.transactional = new TransactionalResource(pipeline, emailSchema);
    this.contacts = new ContactsResource(pipeline, contactSchema);
    this.properties = new PropertiesResource(pipeline);
    this.subscriptionGroups = new SubscriptionGroupsResource(pipeline);
    this.events = new EventsResource(pipeline, contactSchema, eventSchema);
  }

  /** Starts no further request: queued and later calls end in an AbortedError. Requests under way go on. */
  stop(): void {
    this.#pipeline.stop();
  }

  /** Reads from the service which custom properties contacts have. */
  contactSchema(options?: CallOptions): ApiCall<ContactSchema> {
    return apiCall(async () => {
      const { data, response } = await this.properties.list({ list: 'custom' }, options).withResponse();
      return { data: contactSchemaOf(data), response };
    });
  }
}
