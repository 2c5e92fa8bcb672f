import * as pulumi from '@pulumi/pulumi';
import type { ContactSchema, PropertyType } from 'audience-core';
import { withDates } from './contact.js';
import type { ContactArgs, ContactCreationEvent } from './contact.js';
import { afterAllProperties } from './declared-properties.js';
import { given } from './inputs.js';
import provider from './providers/contacts.js';

/** One contact of {@link Contacts}: what a `Contact` declares. */
export type ContactRecordArgs<Schema extends ContactSchema = ContactSchema> = Omit<
  ContactArgs<Schema>,
  'createWithEvent' | 'onDelete'
>;

/** Inputs of {@link Contacts}: a `file` or an array `contacts`. */
export interface ContactsArgs<Schema extends ContactSchema = ContactSchema> {
  /**
   * CSV or JSON Lines file, by a path from the program's folder. Only the path, and a hash per contact, are kept in
   * state. A CSV file has a header: `email`, `userId`, `firstName`, `lastName`, `source`, `subscribed`,
   * `subscriptionGroups.<id>`, and custom properties by their names; an empty cell declares nothing.
   */
  file?: pulumi.Input<string>;
  /** Form of the file; by its name (`.csv`, `.jsonl`, `.ndjson`) unless given. */
  format?: pulumi.Input<'csv' | 'jsonl'>;
  /** The contacts themselves. State holds them as a secret. */
  contacts?: pulumi.Input<pulumi.Input<ContactRecordArgs<Schema>>[]>;
  /** Types of custom properties; as the service lists them unless given. */
  propertyTypes?: pulumi.Input<Record<string, PropertyType>>;
  /**
   * What is done with a contact that is no longer declared: `retain` (default) leaves it as it is, `unsubscribe`
   * unsubscribes it, `clear` clears what was declared. For the last two state keeps the addresses, as a secret.
   */
  onRemove?: pulumi.Input<'retain' | 'unsubscribe' | 'clear'>;
  /** Sends this event for each contact that does not exist yet: the interface has no other way to create one. */
  createWithEvent?: pulumi.Input<ContactCreationEvent>;
}

/**
 * Many contacts in one resource. They are brought to the service concurrently, under its rate limit; a run updates
 * only those that changed, and after a failure the next run goes on from what was done.
 */
export class Contacts<Schema extends ContactSchema = ContactSchema> extends pulumi.dynamic.Resource {
  /** How many contacts are declared. */
  declare readonly count: pulumi.Output<number>;

  constructor(name: string, args: ContactsArgs<Schema>, opts?: pulumi.CustomResourceOptions) {
    const { contacts, createWithEvent } = args;
    const declared = given({
      ...args,
      contacts: contacts === undefined ? undefined : pulumi.secret(withDates(contacts)),
      createWithEvent: withDates(createWithEvent),
    });
    // An output that is no input: it has to be named for the class to have it.
    const inputs = { ...declared, count: undefined };
    const secrets = [...(opts?.additionalSecretOutputs ?? []), 'identities'];
    const options = afterAllProperties({ ...opts, additionalSecretOutputs: secrets });
    super(provider, name, inputs, options, undefined, 'Contacts');
  }
}
