import * as pulumi from '@pulumi/pulumi';
import type { ContactArgs, ContactCreationEvent } from './contact.js';
import { inputsOf } from './inputs.js';
import { afterProperties, MODULE } from './program.js';
import { contacts as behaviour } from '../resources/contacts/contacts.js';
import provider from './providers/contacts.js';

/** One contact of {@link Contacts}: what a `Contact` declares. */
export type ContactRecordArgs = Omit<ContactArgs, 'createWithEvent'>;

/** Whether a contact wants mail; `skip` leaves the row out. */
export type ConsentAnswer = 'mail' | 'no mail' | 'skip';

/** Inputs of {@link Contacts}: a `file` or an array `contacts`. */
export interface ContactsArgs {
  /**
   * Path of a CSV file, from the program's folder. State keeps the path and hashes
   * only. An empty cell declares nothing.
   */
  file?: pulumi.Input<string>;
  /** The contacts themselves. State holds them as a secret. */
  contacts?: pulumi.Input<pulumi.Input<ContactRecordArgs>[]>;
  /**
   * Header to field: `{ 'Email Address': 'email', Notes: '' }`; an empty text for a column that is not read. Every
   * column is a field by its own name (`firstName`, `subscriptionGroups.<id>`, a contact property), or named here or in
   * `consent`. Headers are compared without case, blanks, `-` and `_`.
   */
  columns?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Who wants mail; needed by a file that causes mail (`createWithEvent`, or a group). One answer for all rows, or header
   * to the answer to each text: `{ Status: { active: 'mail', left: 'no mail', pending: 'skip' } }`. `''` is the empty
   * cell, `'*'` every other text, and never `mail`. `no mail` declares `subscribed: false`, `skip` leaves the row out.
   */
  consent?: pulumi.Input<
    'mail' | 'no mail' | Record<string, pulumi.Input<Record<string, pulumi.Input<ConsentAnswer>>>>
  >;
  /** Encoding of the file, such as `windows-1252`; `utf-8` unless given. A file's byte order mark wins. */
  encoding?: pulumi.Input<string>;
  /** Texts that are read as an empty cell, such as `NULL`. */
  nullValues?: pulumi.Input<pulumi.Input<string>[]>;
  /** Fields with the form of their dates: `{ signedUp: 'dd/MM/yyyy' }`. Unset, dates are ISO 8601 or Unix seconds. */
  dateFormat?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** How many contacts one run may unsubscribe, remove from a group or clear (default: a tenth of the list, at least 10). */
  maxRemovals?: pulumi.Input<number>;
  /** Sends this event for each contact that does not exist yet: the API has no call that only creates one. */
  createWithEvent?: pulumi.Input<ContactCreationEvent>;
}

/** Many contacts in one resource. A run writes what changed in the list; contacts no longer listed are not changed. */
export class Contacts extends pulumi.dynamic.Resource {
  /** How many contacts are declared. */
  declare readonly count: pulumi.Output<number>;

  constructor(name: string, args: ContactsArgs, opts?: pulumi.CustomResourceOptions) {
    const secrets = [...(behaviour.secrets ?? [])];
    const options = pulumi.mergeOptions(afterProperties(opts), { additionalSecretOutputs: secrets });
    // The class has only outputs that are named here.
    const inputs = { ...inputsOf(name, args, secrets), count: undefined };
    super(provider, name, inputs, options, MODULE, 'Contacts');
  }
}
