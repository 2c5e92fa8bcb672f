import type { WithResponse } from '../http/call.js';
import type { CallProgress } from '../messages/calls.js';
import type { DataObject, DataVariables, IsDeclared, PropertyValue } from '../types.js';
import type { FieldSetBy, FieldsRead, FieldUpdates } from '../contract/contact-fields.js';
import type { ContactDetails, ContactIdentifiers } from '../contract/messages.js';
import type { ContactSchema, EventSchema, ValueOf } from './schema.js';

/** Custom properties to write: by the declared schema, or any where none is declared. `null` clears. */
export type CustomPropertiesIn<Schema extends ContactSchema> =
  IsDeclared<Schema> extends true
    ? { [Name in keyof Schema]?: ValueOf<Schema[Name]> | null | undefined }
    : Record<string, PropertyValue | Date | null | undefined | DataObject>;

/** Custom properties as they are read: by the declared schema, or unknown where none is declared. */
export type CustomPropertiesOut<Schema extends ContactSchema> =
  IsDeclared<Schema> extends true ? { [Name in keyof Schema]?: ValueOf<Schema[Name]> | null } : unknown;

/** A contact (interface: Contact). Custom properties are top-level fields. */
export type Contact<Schema extends ContactSchema = ContactSchema> = {
  /** Contact identifier, given by the service. */
  id: string;
} & FieldsRead<FieldSetBy<'updateContact'>> &
  CustomPropertiesOut<Schema> &
  Record<string, unknown>;

/** Changes to a contact: `null` clears. A new `email` needs the contact's userId as the identifier. */
export type ContactUpdate<Schema extends ContactSchema = ContactSchema> = FieldUpdates<
  FieldSetBy<'updateContact'>
> &
  CustomPropertiesIn<Schema>;

/** The name of an event and its properties: by the schema, or any where none is declared. */
type NamedEvent<Events extends EventSchema> = {
  [Name in keyof Events & string]: {
    /** Name of the event. */
    eventName: Name;
    /** Values that become variables in the emails that the event triggers. A `Date` becomes Unix seconds. */
    eventProperties?:
      (IsDeclared<Events> extends true ? PropertiesIn<Events[Name]> : DataVariables) | undefined;
  };
}[keyof Events & string];

type PropertiesIn<Types extends EventSchema[string]> = {
  readonly [Property in keyof Types]?: ValueOf<Types[Property]> | undefined;
};

/** An event to send (interface: POST /v1/events/send). `email`, `userId` or both name the contact. */
export type EventMessage<
  Schema extends ContactSchema = ContactSchema,
  Events extends EventSchema = EventSchema,
> = ContactIdentifiers &
  ContactDetails<'sendEvent'> &
  NamedEvent<Events> &
  NonNullableFields<CustomPropertiesIn<Schema>>;

type NonNullableFields<Fields> = {
  [Name in keyof Fields]: Exclude<Fields[Name], null>;
};

/** The promise of a result; `withResponse()` gives the HTTP response too. */
export interface ApiCall<Result> extends Promise<Result> {
  /**
   * The result with the HTTP response behind it: status, headers, body text, attempts and waits.
   *
   * ```ts
   * const { data, response } = await audience.contacts.get('ada@example.com').withResponse();
   * ```
   */
  withResponse(): Promise<WithResponse<Result>>;
}

/** What every write resolves with. */
export interface WriteResult extends CallProgress {
  readonly success: true;
  /** Whether the response shows that an earlier request had done this already. */
  readonly deduplicated: boolean;
}

/** What an email or event resolves with. */
export interface SendResult extends WriteResult {
  /** Key that went with every attempt. */
  readonly idempotencyKey: string;
}

/** What an update of a contact resolves with. */
export interface ContactUpdateResult extends WriteResult {
  /** Id of the contact, where the response has it. */
  readonly id: string | undefined;
}
