import type { DataVariables, Datum, IsDeclared } from '../types.js';
import type { FieldSetBy, FieldValues } from './contact-fields.js';

/** What names a contact: its email address, its userId, or both. */
export type ContactIdentifiers =
  { email: string; userId?: string | undefined } | { email?: string | undefined; userId: string };

/** Fields of the contact that an event or an email can set, besides its identifiers. */
export type ContactDetails<Writer extends 'sendEvent' | 'sendTransactionalEmail'> = FieldValues<
  Exclude<FieldSetBy<Writer>, 'email' | 'userId'>
>;

type NoDetails = {
  [Name in keyof ContactDetails<'sendTransactionalEmail'>]?: undefined;
};

/** The designs of transactional emails: id to the names of the variables that each expects. */
export type EmailSchema = Readonly<Record<string, readonly string[]>>;

/** The design of an email and its variables: by the schema, or any where none is declared. */
type Design<Emails extends EmailSchema> = {
  [Id in keyof Emails & string]: {
    /** Id of the design to send. */
    transactionalId: Id;
  } & (IsDeclared<Emails> extends true ? DeclaredVariables<Emails[Id][number]> : AnyVariables);
}[keyof Emails & string];

// A type: unlike an interface, it fits an index signature.
type AnyVariables = {
  /** Values of the design's variables, by name. */
  dataVariables?: DataVariables | undefined;
};

/** Every variable that the schema declares has to be given. `null` and an empty text are values, too. */
type DeclaredVariables<Name extends string> = [Name] extends [never]
  ? { dataVariables?: Readonly<Record<string, never>> | undefined }
  : {
      /** Values of the design's variables, by name. */
      dataVariables: Readonly<Record<Name, Datum>>;
    };

/**
 * A transactional email to send (interface: POST /v1/transactional). Fields of the contact come with
 * `addToAudience: true` only. `userId` alone may identify the contact then.
 */
export type TransactionalEmailMessage<Emails extends EmailSchema = EmailSchema> = Design<Emails> &
  (
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
