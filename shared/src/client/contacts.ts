import { getContact, updateContact, updateContactBodySchema } from '../contract/contacts.js';
import type { CallOptions, Pipeline } from '../http/pipeline.js';
import type { ContactSchema } from './contact-schema.js';
import { decodeDates, encodeFields } from './contact-values.js';
import { prepare } from './prepare.js';
import { withResponse } from './response-of.js';
import type { Contact, ContactUpdate, ContactUpdateResult } from './types.js';

const STANDARD_FIELDS: ReadonlySet<string> = new Set(Object.keys(updateContactBodySchema.shape));

/** Contacts (interface: Contact). */
export class ContactsResource<Schema extends ContactSchema> {
  readonly #pipeline: Pipeline;
  readonly #schema: Schema | undefined;

  constructor(pipeline: Pipeline, schema: Schema | undefined) {
    this.#pipeline = pipeline;
    this.#schema = schema;
  }

  /**
   * Reads a contact by its email address or userId, as the person has it (it is encoded here).
   * Interface: GET /v1/contacts/{identifier}.
   *
   * @throws ValidationError for an identifier that cannot be addressed.
   * @throws NotFoundError when there is no such contact.
   */
  async get(identifier: string, options?: CallOptions): Promise<Contact<Schema>> {
    const call = prepare(getContact, { action: `read contact '${identifier}'`, params: { identifier } });
    const { answer, response } = await this.#pipeline.run(call, options);
    const contact = { ...answer };
    return withResponse(this.#typed(contact), response);
  }

  /**
   * Changes the given fields of an existing contact. `null` clears a field; `subscribed` can only become
   * `false`; to change `email`, address the contact by its userId.
   * Interface: PUT /v1/contacts/{identifier}.
   *
   * @throws ValidationError for fields or values that the interface does not take. Nothing was sent then.
   * @throws NotFoundError when there is no such contact: this call creates none.
   */
  async update(
    identifier: string,
    changes: ContactUpdate<Schema>,
    options?: CallOptions,
  ): Promise<ContactUpdateResult> {
    const action = `update contact '${identifier}'`;
    const { body, issues } = encodeFields(changes, STANDARD_FIELDS, this.#schema);
    const call = prepare(updateContact, { action, params: { identifier }, body, issues });
    const { answer, deduplicated, response } = await this.#pipeline.run(call, options);
    const { attempts, totalRetryDelayMs } = response;
    return withResponse(
      { success: true, deduplicated, attempts, totalRetryDelayMs, id: answer?.id ?? undefined },
      response,
    );
  }

  #typed(contact: Record<string, unknown>): Contact<Schema> {
    const decoded: unknown = this.#schema === undefined ? contact : decodeDates(contact, this.#schema);
    assertContact<Schema>(decoded);
    return decoded;
  }
}

/** The contract's schema has read the contact and the contact schema its dates: here TypeScript is told so. */
function assertContact<Schema extends ContactSchema>(contact: unknown): asserts contact is Contact<Schema> {
  if (typeof contact === 'object' && contact !== null && 'id' in contact && typeof contact.id === 'string')
    return;
  throw new TypeError('A contact is an object with an id.');
}
