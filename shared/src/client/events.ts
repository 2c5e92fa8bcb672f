import { contract, eventSchemas } from '../contract/endpoints.js';
import { fieldsSetBy } from '../contract/contact-fields.js';
import type { CallOptions } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { fieldsOf } from '../is-record.js';
import { apiCall, send, sendingOf } from './calls.js';
import { encodeFields } from './contact-values.js';
import { eventProblems, type AccountSchema, type ContactSchema, type EventSchema } from './schema.js';
import type { ApiCall, EventMessage, SendResult } from './types.js';

const STANDARD_FIELDS: ReadonlySet<string> = new Set([
  ...fieldsSetBy('sendEvent'),
  ...Object.keys(eventSchemas),
]);

/** Events (interface: Events). */
export class EventsResource<Contacts extends ContactSchema, Events extends EventSchema> {
  /** @internal */
  constructor(
    private readonly pipeline: Pipeline,
    private readonly schema: AccountSchema,
  ) {}

  /**
   * Sends an event for a contact. If no contact has the email or the userId, the event creates one. All attempts have
   * the same idempotency key, the caller's or a random one, so a retry makes no duplicate event.
   * Interface: POST /v1/events/send.
   *
   * @throws ValidationError for an event that breaks a rule. Nothing was sent then.
   * @throws ConflictError for a 409. The interface does not say what it means: the key may have been used.
   */
  send(event: EventMessage<Contacts, Events>, options?: CallOptions): ApiCall<SendResult> {
    return apiCall(async () => {
      const { body, problems } = encodeFields(event, STANDARD_FIELDS, this.schema.contacts);
      problems.push(...eventProblems(this.schema.events, fieldsOf(body)));
      const parts = { action: sendingOf('event', event), body, problems };
      return send(this.pipeline, contract.sendEvent, parts, options);
    });
  }
}
