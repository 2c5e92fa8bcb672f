import * as pulumi from '@pulumi/pulumi';
import type { ContactSchema } from 'audience-core';
import type { ContactArgs, ContactCreationEvent } from './contact.js';
import { given, withDates } from './inputs.js';
import { afterProperties, declaration, MODULE } from './program.js';
import { contacts as behaviour } from '../resources/contacts/contacts.js';
import { countsSchema } from '../resources/contacts/state.js';
import provider from './providers/contacts.js';

/** One contact of {@link Contacts}: what a `Contact` declares. */
export type ContactRecordArgs<Schema extends ContactSchema = ContactSchema> = Omit<
  ContactArgs<Schema>,
  'createWithEvent'
>;

/** Inputs of {@link Contacts}: a `file` or an array `contacts`. */
export interface ContactsArgs<Schema extends ContactSchema = ContactSchema> {
  /**
   * CSV, JSON Lines or JSON array, by a path from the program's folder. State keeps the path and hashes only. A column
   * is a field of a `Contact`, `subscriptionGroups.<id>` or a contact property, by its name; an empty cell declares
   * nothing.
   */
  file?: pulumi.Input<string>;
  /** The contacts themselves. State holds them as a secret. */
  contacts?: pulumi.Input<pulumi.Input<ContactRecordArgs<Schema>>[]>;
  /**
   * Headers with their fields: `{ 'Email Address': 'email', Plan: 'planName' }`. Other columns are not read. Unset, every
   * column must be a field or a contact property.
   */
  columns?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Encoding of the file, such as `windows-1252`; `utf-8` unless given. A file's byte order mark wins. */
  encoding?: pulumi.Input<string>;
  /** Texts that are read as an empty cell, such as `NULL`. */
  nullValues?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * `ignore` (default): an empty cell declares nothing. `clear`: it clears the value that an earlier run wrote; never of
   * email, userId, `subscribed` or a group.
   */
  emptyCells?: pulumi.Input<'ignore' | 'clear'>;
  /** Fields with the form of their dates: `{ signedUp: 'dd/MM/yyyy' }`. Unset, dates are ISO 8601 or Unix seconds. */
  dateFormat?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** `fail` (default): a row with a wrong value is an error. `skip`: up to 5 % of the rows are left out and listed. */
  invalidRows?: pulumi.Input<'fail' | 'skip'>;
  /**
   * How many contacts one run may newly unsubscribe; more are refused at preview. A tenth of the list, and at least 10,
   * unless given.
   */
  maxUnsubscribes?: pulumi.Input<number>;
  /** Sends this event for each contact that does not exist yet: the service has no call that only creates one. */
  createWithEvent?: pulumi.Input<ContactCreationEvent>;
}

/**
 * Many contacts in one resource. A run writes only what has changed in the list, many contacts at once under the
 * service's rate limit. Contacts that are no longer in the list stay as they are.
 */
export class Contacts<Schema extends ContactSchema = ContactSchema> extends pulumi.dynamic.Resource {
  /** How many contacts are declared. */
  declare readonly count: pulumi.Output<number>;
  /** How many contacts the last run wrote that state did not know. */
  declare readonly added: pulumi.Output<number>;
  /** How many known contacts the last run wrote. */
  declare readonly changed: pulumi.Output<number>;
  /** How many contacts the last run found unchanged. */
  declare readonly unchanged: pulumi.Output<number>;
  /** How many rows the list had at the run before, and has no more. */
  declare readonly notListedAnyMore: pulumi.Output<number>;
  /** How many rows were skipped. */
  declare readonly skipped: pulumi.Output<number>;

  constructor(name: string, args: ContactsArgs<Schema>, opts?: pulumi.CustomResourceOptions) {
    // JavaScript may leave them out: what is missing is then told by the check.
    const all: ContactsArgs<Schema> = { ...args };
    const { contacts, createWithEvent } = all;
    const declared = given({
      ...all,
      contacts: contacts === undefined ? undefined : pulumi.secret(withDates(contacts)),
      createWithEvent: withDates(createWithEvent),
      ...declaration(name),
    });
    // Outputs that are no inputs: they have to be named for the class to have them.
    const inputs: pulumi.Inputs = { ...declared };
    for (const output of Object.keys(countsSchema.shape)) inputs[output] = undefined;
    const secrets = [...(opts?.additionalSecretOutputs ?? []), ...(behaviour.secrets ?? [])];
    const waiting = afterProperties({ ...opts, additionalSecretOutputs: secrets });
    super(provider, name, inputs, waiting, MODULE, 'Contacts');
  }
}
