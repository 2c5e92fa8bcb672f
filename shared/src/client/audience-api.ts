import { usedKeyStatusSchema } from '../contract/common.js';
import type { CallLimits, OnAttempt, PaceOptions } from '../http/call.js';
import { Pipeline } from '../http/pipeline.js';
import type { Runtime } from '../http/runtime.js';
import type { Transport } from '../http/transport.js';
import { validate } from '../issues.js';
import { CANNOT_BE_MADE } from '../messages/problems.js';
import { VERSION } from '../version.js';
import * as z from '../zod.js';
import { normalizeBaseUrl } from './base-url.js';
import { limitSchemas } from './call-options.js';
import { ContactsResource } from './contacts.js';
import { EventsResource } from './events.js';
import { PropertiesResource, SubscriptionGroupsResource } from './properties.js';
import { readSchema, type AccountSchema, type PartOf } from './schema.js';
import { TransactionalResource } from './transactional.js';

/** Options that a client has in every host. */
export interface ClientOptions<Schema extends AccountSchema = AccountSchema> extends CallLimits, PaceOptions {
  /** Address of the service, with a path prefix where it has one; the paths add `/v1` and what follows. */
  readonly baseUrl: string;
  /** Allows plain http to other machines too; the API key is then sent unencrypted. */
  readonly allowInsecure?: boolean | undefined;
  /** What the account has, for typed contacts, emails and events that are checked before they are sent. */
  readonly schema?: Schema | undefined;
  /** Text for the `User-Agent` header. */
  readonly userAgent?: string | undefined;
  /**
   * The status (400, 409, 412, 422 or 425) that your service uses only for "a request with this key succeeded", and
   * never for a request in progress, a failed one, or a conflict of contacts. Else leave it unset. It counts as success
   * (`deduplicated: true`) for the caller's key, and for a random one after an attempt that may have arrived.
   */
  readonly usedKeyStatus?: number | undefined;
  /** Gets each attempt with its status and time. Its path can hold an email address. */
  readonly onAttempt?: OnAttempt | undefined;
}

/** Options of a client whose host provides transport and runtime. */
export interface AudienceApiOptions<
  Schema extends AccountSchema = AccountSchema,
> extends ClientOptions<Schema> {
  readonly transport: Transport;
  readonly runtime: Runtime;
  /** Texts that must be in no error, such as the API key that the transport adds. */
  readonly secrets?: readonly string[] | undefined;
}

const given = z.optional(z.unknown());

/** What options there are; those that are just `given` are checked where they are used. */
const shape = z.strictObject({
  ...limitSchemas,
  ...{ baseUrl: given, schema: given, transport: given, runtime: given, secrets: given },
  allowInsecure: z.optional(z.boolean()),
  userAgent: z.optional(z.string().check(z.regex(/^[\x20-\x7e]+$/, 'notAscii'))),
  usedKeyStatus: z.optional(usedKeyStatusSchema),
  onAttempt: z.optional(z.custom((hook) => typeof hook === 'function', 'function')),
} satisfies Record<keyof AudienceApiOptions, z.ZodMiniType>);

/** The service's calls over a transport that the host gives. `AudienceClient` is this over axios or `fetch`. */
export class AudienceApi<Schema extends AccountSchema = AccountSchema> {
  /** List and send transactional emails. */
  readonly transactional: TransactionalResource<PartOf<Schema, 'emails'>>;
  /** Read and update contacts. */
  readonly contacts: ContactsResource<PartOf<Schema, 'contacts'>>;
  /** List and create contact properties. */
  readonly properties: PropertiesResource;
  /** List subscription groups. */
  readonly subscriptionGroups: SubscriptionGroupsResource;
  /** Send events. */
  readonly events: EventsResource<PartOf<Schema, 'contacts'>, PartOf<Schema, 'events'>>;
  /** Address of the service, as calls are made to it. */
  readonly baseUrl: string;

  readonly #pipeline: Pipeline;

  /** @throws ValidationError for an unknown option, and a base URL or a limit that cannot be used. */
  constructor(options: AudienceApiOptions<Schema>) {
    validate(shape, options, CANNOT_BE_MADE);
    const { userAgent = `audience-core/${VERSION}` } = options;
    const schema = readSchema(options.schema ?? {});
    this.baseUrl = normalizeBaseUrl(options.baseUrl, options.allowInsecure);
    const pipeline = new Pipeline({ ...options, userAgent, baseUrl: this.baseUrl });
    this.#pipeline = pipeline;
    this.transactional = new TransactionalResource(pipeline, schema.emails);
    this.contacts = new ContactsResource(pipeline, schema.contacts);
    this.properties = new PropertiesResource(pipeline);
    this.subscriptionGroups = new SubscriptionGroupsResource(pipeline);
    this.events = new EventsResource(pipeline, schema);
  }

  /** Starts no further request: queued and later calls end in an AbortedError. Requests under way go on. */
  stop(): void {
    this.#pipeline.stop();
  }
}
