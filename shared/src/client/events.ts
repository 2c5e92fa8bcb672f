import { sendEvent, sendEventBodySchema } from '../contract/events.js';
import type { CallOptions, Pipeline } from '../http/pipeline.js';
import type { ContactSchema } from './contact-schema.js';
import { encodeFields } from './contact-values.js';
import { prepare } from './prepare.js';
import { sendResult } from './send-result.js';
import type { EventMessage, SendResult } from './types.js';

const STANDARD_FIELDS: ReadonlySet<string> = new Set(Object.keys(sendEventBodySchema.shape));

/** Events (interface: Events). */
export class EventsResource<Schema extends ContactSchema> {
  readonly #pipeline: Pipeline;
  readonly #schema: Schema | undefined;

  constructor(pipeline: Pipeline, schema: Schema | undefined) {
    this.#pipeline = pipeline;
    this.#schema = schema;
  }

  /**
   * Sends an event for a contact, which is created where neither its email nor its userId is known. However
   * often it has to be tried, it counts once: all attempts carry the same idempotency key, the caller's or a
   * random one. Interface: POST /v1/events/send.
   *
   * @throws ValidationError for an event that the interface does not take. Nothing was sent then.
   * @throws ConflictError when the caller's key was used for another event.
   */
  async send(event: EventMessage<Schema>, options?: CallOptions): Promise<SendResult> {
    const action = `send event '${event.eventName}' for ${event.email ?? event.userId ?? 'nobody'}`;
    const { body, issues } = encodeFields(event, STANDARD_FIELDS, this.#schema);
    const call = prepare(sendEvent, { action, body, issues });
    return sendResult(await this.#pipeline.run(call, options));
  }
}
