import type { PropertyValue } from '../contract/common.js';
import type { TransactionalEmailMessage } from '../contract/transactional.js';
import type { ContactSchema, ValueOf } from './contact-schema.js';

/** Whether a schema is a declared one, with names that are known. */
type IsDeclared<Schema extends ContactSchema> = string extends keyof Schema ? false : true;

/** Custom properties to write: by the declared schema, or any where none is declared. `null` clears. */
export type CustomPropertiesIn<Schema extends ContactSchema> =
  IsDeclared<Schema> extends true
    ? { [Name in keyof Schema]?: ValueOf<Schema[Name]> | null | undefined }
    : Record<string, PropertyValue | Date | null | undefined | Record<string, unknown>>;

/** Custom properties as they are read: by the declared schema, or unknown where none is declared. */
export type CustomPropertiesOut<Schema extends ContactSchema> =
  IsDeclared<Schema> extends true ? { [Name in keyof Schema]?: ValueOf<Schema[Name]> | null } : unknown;

/** A contact (interface: Contact). Custom properties are top-level fields. */
export type Contact<Schema extends ContactSchema = ContactSchema> = {
  /** Contact identifier, given by the service. */
  id: string;
  /** Primary identifier. */
  email?: string | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  /** Client-side user identifier; can also be used to address the contact. */
  userId?: string | null | undefined;
  /** Origin of the contact. */
  source?: string | null | undefined;
  /** Overall subscription flag. */
  subscribed?: boolean | null | undefined;
  /** Map of subscription group id to whether the contact is subscribed to it. */
  subscriptionGroups?: Record<string, boolean> | null | undefined;
} & CustomPropertiesOut<Schema> &
  Record<string, unknown>;

/** Changes to a contact (interface: PUT /v1/contacts/{identifier}): what is not named stays, `null` clears. */
export type ContactUpdate<Schema extends ContactSchema = ContactSchema> = {
  /** New email address; the contact must then be addressed by its userId. */
  email?: string | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  userId?: string | null | undefined;
  source?: string | null | undefined;
  /** Only `false`. */
  subscribed?: false | undefined;
  /** Groups to change, by id. */
  subscriptionGroups?: Record<string, boolean> | undefined;
} & CustomPropertiesIn<Schema>;

/** An event to send (interface: POST /v1/events/send). `email`, `userId` or both name the contact. */
export type EventMessage<Schema extends ContactSchema = ContactSchema> = {
  email?: string | undefined;
  userId?: string | undefined;
  /** Name of the event. */
  eventName: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** Values that become variables in the emails that the event triggers; a `Date` becomes Unix seconds. */
  eventProperties?: Record<string, PropertyValue | Date> | undefined;
  /** Groups to change on the contact, by id. */
  subscriptionGroups?: Record<string, boolean> | undefined;
} & NonNullableFields<CustomPropertiesIn<Schema>>;

type NonNullableFields<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], null> };

export type { TransactionalEmailMessage };

/** What every write answers. */
export interface WriteResult {
  readonly success: true;
  /** Whether the service said that this very request was carried out before: nothing was done twice. */
  readonly deduplicated: boolean;
  /** How many requests were sent. */
  readonly attempts: number;
  /** Time spent waiting between them, in milliseconds. */
  readonly totalRetryDelayMs: number;
}

/** Answer to an email or event. */
export interface SendResult extends WriteResult {
  /** Key that went with every attempt. */
  readonly idempotencyKey: string;
}

/** Answer to an update of a contact. */
export interface ContactUpdateResult extends WriteResult {
  /** Id of the contact, where the service told it. */
  readonly id: string | undefined;
}
