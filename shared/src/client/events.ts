import { eventSchemas, sendEvent } from '../contract/events.js';
import { fieldsSetBy } from '../contract/contact-fields.js';
import type { CallOptions } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { apiCall, send } from './calls.js';
import type { ContactSchema } from './contact-schema.js';
import { encodeFields, fieldsOf } from './contact-values.js';
import { eventProblems, type EventSchema } from './event-schema.js';
import type { ApiCall, EventMessage, SendResult } from './types.js';

const STANDARD_FIELDS: ReadonlySet<string> = new Set([
  ...fieldsSetBy('sendEvent'),
  ...Object.keys(eventSchemas),
]);

/** Events (interface: Events). */
export class EventsResource<Schema extends ContactSchema, Events extends EventSchema = EventSchema> {
  /** @internal */
  constructor(
    private readonly pipeline: Pipeline,
    private readonly schema: Schema | undefined,
    private readonly events: Events | undefined,
  ) {}

  /**
   * Sends an event for a contact, which is created where neither its email nor its userId is known. However
   * often it has to be tried, it counts once: all attempts carry the same idempotency key, the caller's or a
   * random one. Interface: POST /v1/events/send.
   *
   * @throws ValidationError for an event that the interface does not allow. Nothing was sent then.
   * @throws ConflictError for a 409. The interface does not say what it means: the key may have been used.
   */
  send(event: EventMessage<Schema, Events>, options?: CallOptions): ApiCall<SendResult> {
    return apiCall(async () => {
      const { body, problems } = encodeFields(event, STANDARD_FIELDS, this.schema);
      problems.push(...eventProblems(this.events, fieldsOf(body)));
      const { eventName, ...to } = fieldsOf(event);
      const action = `send ${named('event', eventName)}${recipientOf(' for ', to)}`;
      return send(this.pipeline, sendEvent, { action, body, problems }, options);
    });
  }
}

/** What is sent, for messages: `event 'signup'`, or `an event` where its name is missing. */
export function named(kind: 'email' | 'event', name: unknown): string {
  return typeof name === 'string' ? `${kind} '${name}'` : `an ${kind}`;
}

/** Who it is for, for messages; empty where neither identifier is given. */
export function recipientOf(before: string, { email, userId }: Readonly<Record<string, unknown>>): string {
  const recipient = [email, userId].find((one): one is string => typeof one === 'string');
  return recipient === undefined ? '' : `${before}${recipient}`;
}
