import { createContactProperty, listContactProperties } from '../contract/contact-properties.js';
import type {
  ContactProperty,
  ListContactPropertiesQuery,
  NewContactProperty,
} from '../contract/contact-properties.js';
import { AudienceError, ConflictError, NetworkError, ServerError, TimeoutError } from '../errors.js';
import type { CallOptions, Pipeline } from '../http/pipeline.js';
import { retryDelay } from '../http/retry.js';
import { prepare } from './prepare.js';
import { responseOf, withResponse } from './response-of.js';
import type { WriteResult } from './types.js';

/** Contact properties (interface: Contact property). */
export class PropertiesResource {
  readonly #pipeline: Pipeline;

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
  }

  /**
   * Lists contact properties, all of them unless `list` is `custom`. Interface: GET /v1/contacts/properties.
   */
  async list(query: ListContactPropertiesQuery = {}, options?: CallOptions): Promise<ContactProperty[]> {
    const call = prepare(listContactProperties, { action: 'list contact properties', query });
    const { answer, response } = await this.#pipeline.run(call, options);
    return withResponse(answer ?? [], response);
  }

  /**
   * Creates a custom contact property. The service takes no idempotency key here, so after a failure that leaves
   * open whether it worked, the list is read: a property of that name and type means that it did
   * (`deduplicated: true`), and only if there is none is it tried again.
   * Interface: POST /v1/contacts/properties.
   *
   * @throws ValidationError for a name that is not camelCase, reserved or built in, and for an unknown type.
   * @throws ConflictError when a property of that name exists.
   */
  async create(property: NewContactProperty, options: CallOptions = {}): Promise<WriteResult> {
    const call = prepare(createContactProperty, {
      action: `create contact property '${property.name}'`,
      body: property,
    });
    const { runtime, limits } = this.#pipeline;
    const maxRetries = options.maxRetries ?? limits.maxRetries;
    const deadline = runtime.now() + (options.deadlineMs ?? limits.deadlineMs);
    const timeLeft = (): CallOptions => ({ ...options, deadlineMs: Math.max(1, deadline - runtime.now()) });
    let attempts = 0;
    let totalRetryDelayMs = 0;
    for (let failures = 1; ; failures += 1) {
      try {
        const { response } = await this.#pipeline.run(call, timeLeft());
        attempts += response.attempts;
        totalRetryDelayMs += response.totalRetryDelayMs;
        return withResponse({ success: true, deduplicated: false, attempts, totalRetryDelayMs }, response);
      } catch (error) {
        // After an open attempt a conflict may be with that attempt: it may have been carried out late.
        const mayBeOurs = failures > 1 && error instanceof ConflictError;
        if (!leavesOpen(error) && !mayBeOurs) throw error;
        attempts += error.attempts;
        totalRetryDelayMs += error.totalRetryDelayMs;
        const listed = await this.list({ list: 'custom' }, timeLeft());
        const found = listed.find(({ key }) => key === property.name);
        if (found !== undefined) {
          if (found.type !== property.type) throw typeClash(property, found, attempts, totalRetryDelayMs);
          const result = { success: true, deduplicated: true, attempts, totalRetryDelayMs } as const;
          return withResponse(result, { ...responseOf(listed), attempts, totalRetryDelayMs });
        }
        const retryAfterMs = error instanceof ServerError ? error.retryAfterMs : undefined;
        const delay = retryDelay(failures, runtime.random(), retryAfterMs);
        if (failures > maxRetries || runtime.now() + delay >= deadline) throw error;
        await runtime.sleep(delay, options.signal);
        totalRetryDelayMs += delay;
      }
    }
  }
}

/** Whether a failure leaves open if the property was created. */
function leavesOpen(error: unknown): error is AudienceError {
  return (
    error instanceof NetworkError ||
    error instanceof TimeoutError ||
    error instanceof ServerError ||
    (error instanceof AudienceError && error.status === 408)
  );
}

function typeClash(
  wanted: NewContactProperty,
  found: ContactProperty,
  attempts: number,
  totalRetryDelayMs: number,
): ConflictError {
  return new ConflictError(
    `Could not create contact property '${wanted.name}' as a ${wanted.type}: it exists as a ${found.type}. Use it as it is, or choose another name.`,
    { method: createContactProperty.method, path: createContactProperty.path, attempts, totalRetryDelayMs },
  );
}
