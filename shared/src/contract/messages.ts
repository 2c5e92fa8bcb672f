import type { FieldSetBy, FieldValues } from './contact-fields.js';

/** What names a contact: its email address, its userId, or both. */
export type ContactIdentifiers =
  { email: string; userId?: string | undefined } | { email?: string | undefined; userId: string };

/** Fields of the contact that come with an event or an email, beside its identifiers. */
export type ContactDetails<Writer extends 'sendEvent' | 'sendTransactionalEmail'> = FieldValues<
  Exclude<FieldSetBy<Writer>, 'email' | 'userId'>
>;

type NoDetails = { [Name in keyof ContactDetails<'sendTransactionalEmail'>]?: undefined };

/**
 * A transactional email to send (interface: POST /v1/transactional). Fields of the contact come with
 * `addToAudience: true` only; the recipient's address may then be left out where `userId` names a contact that has
 * one.
 */
export type TransactionalEmailMessage = {
  /** Id of the design to send. */
  transactionalId: string;
  /** Values of the design's variables, by name. */
  dataVariables?: Record<string, string | number> | undefined;
} & (
  | ({
      /** Adds the recipient to the audience, or matches the contact that is there. */
      addToAudience: true;
    } & ContactIdentifiers &
      ContactDetails<'sendTransactionalEmail'>)
  | ({
      addToAudience?: boolean | undefined;
      /** Recipient address. */
      email: string;
      /** Client-side user identifier, for matching the contact. */
      userId?: string | undefined;
    } & NoDetails)
);
