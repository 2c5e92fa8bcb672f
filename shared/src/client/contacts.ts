import type { Endpoint } from '../contract/endpoint.js';
import { contract } from '../contract/endpoints.js';
import { fieldsSetBy } from '../contract/contact-fields.js';
import type { CallOptions } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { fieldsOf } from '../is-record.js';
import * as z from '../zod.js';
import { apiCall, call, written } from './calls.js';
import { encodeFields, typedContactSchema } from './contact-values.js';
import type { ContactSchema } from './schema.js';
import type { ApiCall, Contact, ContactUpdate, ContactUpdateResult } from './types.js';

const STANDARD_FIELDS: ReadonlySet<string> = new Set(fieldsSetBy('updateContact'));

/** Contacts (interface: Contact). */
export class ContactsResource<Schema extends ContactSchema> {
  readonly #getContact: Endpoint;

  /** @internal */
  constructor(
    private readonly pipeline: Pipeline,
    private readonly schema: ContactSchema | undefined,
  ) {
    this.#getContact = { ...contract.getContact, response: typedContactSchema(schema ?? {}) };
  }

  /**
   * Reads a contact by its email address or userId. Give it unencoded: the client encodes it.
   * Interface: GET /v1/contacts/{identifier}.
   *
   * @throws ValidationError for an identifier that no path can hold.
   * @throws NotFoundError for a 404. We assume that there is no such contact.
   * @throws UnexpectedResponseError where a property is not of the type that the schema says.
   */
  get(identifier: string, options?: CallOptions): ApiCall<Contact<Schema>> {
    return apiCall(async () => {
      const parts = { action: `read contact '${identifier}'`, params: { identifier } };
      const { data, response } = await call(this.pipeline, this.#getContact, parts, options);
      // The schema has read the contact, so TypeScript may rely on the type.
      return { data: z.custom<Contact<Schema>>().parse(data), response };
    });
  }

  /**
   * Changes the given fields of an existing contact. `null` clears a field; `subscribed` can only become
   * `false`; to change `email`, address the contact by its userId.
   * Interface: PUT /v1/contacts/{identifier}.
   *
   * @throws ValidationError for fields or values that break a rule. Nothing was sent then.
   * @throws NotFoundError for a 404. We assume that there is no such contact: this call creates none.
   */
  update(
    identifier: string,
    changes: ContactUpdate<Schema>,
    options?: CallOptions,
  ): ApiCall<ContactUpdateResult> {
    return apiCall(async () => {
      const { body, problems } = encodeFields(changes, STANDARD_FIELDS, this.schema);
      // An email is only changed by the userId; the same address changes nothing.
      const { email } = fieldsOf(changes);
      if (typeof email === 'string' && identifier.includes('@') && email !== identifier)
        problems.push({ path: ['email'], code: 'needsUserId' });
      const action = `update contact '${identifier}'`;
      const parts = { action, params: { identifier }, body, problems };
      const { data, response } = await call(this.pipeline, contract.updateContact, parts, options);
      return { data: { ...written(response), id: data.id ?? undefined }, response };
    });
  }
}
