import { getContact, updateContact } from '../contract/contacts.js';
import { fieldsSetBy } from '../contract/contact-fields.js';
import type { CallOptions } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { apiCall, prepare, written } from './calls.js';
import type { ContactSchema } from './contact-schema.js';
import { decodeDates, encodeFields, fieldsOf, hasTypesOf } from './contact-values.js';
import * as z from '../zod.js';
import type { ApiCall, Contact, ContactUpdate, ContactUpdateResult } from './types.js';

const STANDARD_FIELDS: ReadonlySet<string> = new Set(fieldsSetBy('updateContact'));

/** Contacts (interface: Contact). */
export class ContactsResource<Schema extends ContactSchema> {
  readonly #getContact: typeof getContact;

  /** @internal */
  constructor(
    private readonly pipeline: Pipeline,
    private readonly schema: Schema | undefined,
  ) {
    const response = getContact.response.check(hasTypesOf(schema ?? {}));
    this.#getContact = { ...getContact, response };
  }

  /**
   * Reads a contact by its email address or userId, as the person has it (it is encoded here).
   * Interface: GET /v1/contacts/{identifier}.
   *
   * @throws ValidationError for an identifier that cannot be addressed.
   * @throws NotFoundError for a 404. We assume that there is no such contact.
   * @throws UnexpectedResponseError where a property is not of the type that the contact schema says.
   */
  get(identifier: string, options?: CallOptions): ApiCall<Contact<Schema>> {
    return apiCall(async () => {
      const call = prepare(this.pipeline, this.#getContact, {
        action: `read contact '${identifier}'`,
        params: { identifier },
      });
      const { data, response } = await this.pipeline.run(call, options);
      const contact = this.schema === undefined ? data : decodeDates(data, this.schema);
      // Both schemas have read the contact, so TypeScript may rely on the type.
      return { data: z.custom<Contact<Schema>>().parse(contact), response };
    });
  }

  /**
   * Changes the given fields of an existing contact. `null` clears a field; `subscribed` can only become
   * `false`; to change `email`, address the contact by its userId.
   * Interface: PUT /v1/contacts/{identifier}.
   *
   * @throws ValidationError for fields or values that the interface does not allow. Nothing was sent then.
   * @throws NotFoundError for a 404. We assume that there is no such contact: this call creates none.
   */
  update(
    identifier: string,
    changes: ContactUpdate<Schema>,
    options?: CallOptions,
  ): ApiCall<ContactUpdateResult> {
    return apiCall(async () => {
      const action = `update contact '${identifier}'`;
      const { body, problems } = encodeFields(changes, STANDARD_FIELDS, this.schema);
      // An email is only changed by the userId; the same address changes nothing.
      const { email } = fieldsOf(changes);
      if (typeof email === 'string' && identifier.includes('@') && email !== identifier)
        problems.push({ path: ['email'], code: 'needsUserId' });
      const call = prepare(this.pipeline, updateContact, {
        action,
        params: { identifier },
        body,
        problems,
      });
      const { data, response } = await this.pipeline.run(call, options);
      return {
        data: { ...written(false, response), id: data.id ?? undefined },
        response,
      };
    });
  }
}
