import * as pulumi from '@pulumi/pulumi';
import type { ContactSchema, PropertyType } from 'audience-core';
import { withDates } from './contact.js';
import type { ContactArgs, ContactCreationEvent } from './contact.js';
import { given } from './inputs.js';
import { afterAllProperties, declaration, MODULE, withSecrets } from './program.js';
import { contacts as behaviour } from '../resources/contacts/contacts.js';
import provider from './providers/contacts.js';

/** One contact of {@link Contacts}: what a `Contact` declares. */
export type ContactRecordArgs<Schema extends ContactSchema = ContactSchema> = Omit<
  ContactArgs<Schema>,
  'createWithEvent' | 'onDelete'
>;

/** Inputs of {@link Contacts}: a `file` or an array `contacts`. */
export interface ContactsArgs<Schema extends ContactSchema = ContactSchema> {
  /**
   * CSV or JSON Lines file in UTF-8, by a path from the program's folder. Only the path, and hashes per contact, are
   * kept in state. A CSV file has a header: `email`, `userId` and the other fields of a `Contact` by their names,
   * `subscriptionGroups.<id>`, and custom properties by their names; an empty cell declares nothing.
   */
  file?: pulumi.Input<string>;
  /** Form of the file; by its name (`.csv`, `.tsv`, `.jsonl`, `.ndjson`) unless given. */
  format?: pulumi.Input<'csv' | 'jsonl'>;
  /** What stands between the cells of a CSV file; found in its header unless given. */
  delimiter?: pulumi.Input<',' | ';' | '\t' | '|'>;
  /** The contacts themselves. State holds them as a secret. */
  contacts?: pulumi.Input<pulumi.Input<ContactRecordArgs<Schema>>[]>;
  /** Types of custom properties; as the service lists them, or the program declares them, unless given. */
  propertyTypes?: pulumi.Input<Record<string, PropertyType>>;
  /**
   * What is done with a contact that is no longer declared, here or elsewhere in the program: `retain` (default)
   * leaves it as it is, `unsubscribe` unsubscribes it for good, `clear` clears what was declared. For the last two
   * state keeps the addresses, as a secret.
   */
  onRemove?: pulumi.Input<'retain' | 'unsubscribe' | 'clear'>;
  /**
   * How many contacts may leave in one run where `onRemove` takes something from them, the whole list included; more are
   * refused before anybody is touched. A tenth of the last run's number, and at least 10, unless given.
   */
  maxRemovals?: pulumi.Input<number>;
  /** Whether there may be no contact at all: an empty file is refused otherwise, as it may have been cut off. */
  allowEmpty?: pulumi.Input<boolean>;
  /** Sends this event for each contact that does not exist yet: the service has no call that only creates one. */
  createWithEvent?: pulumi.Input<ContactCreationEvent>;
}

/**
 * Many contacts in one resource. They are upserted concurrently, under the service's rate limit; a run updates only
 * those that changed, and after a failure the next run goes on from what was done.
 */
export class Contacts<Schema extends ContactSchema = ContactSchema> extends pulumi.dynamic.Resource {
  /** How many contacts are declared. */
  declare readonly count: pulumi.Output<number>;

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
    // An output that is no input: it has to be named for the class to have it.
    const inputs = { ...declared, count: undefined };
    const waiting = afterAllProperties(withSecrets(opts, behaviour));
    super(provider, name, inputs, waiting, MODULE, 'Contacts');
  }
}
