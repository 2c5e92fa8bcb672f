import { contract } from '../contract/endpoints.js';
import type { ContactProperty, PropertyType, SubscriptionGroup } from '../types.js';
import { AbortedError, AudienceError } from '../errors.js';
import { callError } from '../failures.js';
import type { CallOptions } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { fieldsOf } from '../is-record.js';
import type { CallData } from '../messages/calls.js';
import { apiCall, call, written } from './calls.js';
import type { ApiCall, WriteResult } from './types.js';

/** Contact properties (interface: Contact property). */
export class PropertiesResource {
  /** @internal */
  constructor(private readonly pipeline: Pipeline) {}

  /** Lists contact properties, all of them unless `list` is `custom`. Interface: GET /v1/contacts/properties. */
  list(
    query: { readonly list?: 'all' | 'custom' | undefined } = {},
    options?: CallOptions,
  ): ApiCall<ContactProperty[]> {
    const parts = { action: 'list contact properties', query };
    return apiCall(() => call(this.pipeline, contract.listContactProperties, parts, options));
  }

  /**
   * Creates a custom contact property. There is no idempotency key here. After an unclear attempt the list
   * is read once: a property of that name and type means that it was created (`deduplicated: true`).
   * Interface: POST /v1/contacts/properties.
   *
   * @throws ValidationError for a name that is not camelCase, reserved or built in, and for an unknown type.
   * @throws ConflictError for a 409, and for a listed property of another type. We assume that a 409 means the same.
   */
  create(
    property: { readonly name: string; readonly type: PropertyType },
    options?: CallOptions,
  ): ApiCall<WriteResult> {
    return apiCall(async () => {
      const { name, type } = fieldsOf(property);
      const parts = { action: `create contact property '${String(name)}'`, body: property };
      try {
        const { response } = await call(this.pipeline, contract.createContactProperty, parts, options);
        return { data: written(response), response };
      } catch (error) {
        if (!(error instanceof AudienceError) || !error.unclear || error instanceof AbortedError) throw error;
        return await this.#lookUp(String(name), String(type), error, options);
      }
    });
  }

  async #lookUp(name: string, type: string, unclear: AudienceError, options?: CallOptions) {
    const listed = this.list({ list: 'custom' }, options).withResponse();
    const { data, response } = await listed.catch(() => {
      throw unclear;
    });
    const found = data.find(({ key }) => key === name);
    if (found === undefined) throw unclear;
    const facts: CallData = unclear;
    if (found.type !== type)
      throw callError('otherType', { ...facts, existingType: found.type, unclear: false });
    return { data: written(unclear, true), response };
  }
}

/** Subscription groups (interface: Subscription group). */
export class SubscriptionGroupsResource {
  /** @internal */
  constructor(private readonly pipeline: Pipeline) {}

  /** Lists all subscription groups. Interface: GET /v1/subscription-groups. */
  list(options?: CallOptions): ApiCall<SubscriptionGroup[]> {
    const parts = { action: 'list subscription groups' };
    return apiCall(() => call(this.pipeline, contract.listSubscriptionGroups, parts, options));
  }
}
