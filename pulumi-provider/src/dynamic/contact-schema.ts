import * as pulumi from '@pulumi/pulumi';
import { AudienceError, defineContactSchema } from 'audience-core';
import type { ContactSchema as PropertyTypesByName } from 'audience-core';
import { Contact } from './contact.js';
import type { ContactArgs } from './contact.js';
import { Contacts } from './contacts.js';
import type { ContactsArgs } from './contacts.js';
import { ContactProperty } from './contact-property.js';
import { plainError } from './program.js';

/** Inputs of a {@link ContactSchema}. */
export interface ContactSchemaArgs<Schema extends PropertyTypesByName> {
  /** Custom properties: name to type. */
  properties: Schema;
}

/** Makes a typed {@link Contact}. */
export type TypedContact<Schema extends PropertyTypesByName> = new (
  name: string,
  args: ContactArgs<Schema>,
  opts?: pulumi.CustomResourceOptions,
) => Contact<Schema>;

/** Makes typed {@link Contacts}. */
export type TypedContacts<Schema extends PropertyTypesByName> = new (
  name: string,
  args: ContactsArgs<Schema>,
  opts?: pulumi.CustomResourceOptions,
) => Contacts<Schema>;

/**
 * A set of contact properties, and typed resources for contacts: the compiler refuses a wrong name or type.
 *
 * ```ts
 * const crm = new ContactSchema('crm', { properties: { plan: 'string', seats: 'number' } });
 * new crm.Contact('ada', { email: 'ada@example.com', properties: { plan: 'Pro', seats: 3 } });
 * ```
 */
export class ContactSchema<const Schema extends PropertyTypesByName> extends pulumi.ComponentResource {
  /** The declared properties by name. */
  readonly properties: Readonly<Record<keyof Schema & string, ContactProperty>>;
  /** `Contact` with these properties. */
  readonly Contact: TypedContact<Schema>;
  /** `Contacts` with these properties. */
  readonly Contacts: TypedContacts<Schema>;

  /** @throws pulumi.RunError for a name that no custom property can have. */
  constructor(name: string, args: ContactSchemaArgs<Schema>, opts?: pulumi.ComponentResourceOptions) {
    super('audience:index:ContactSchema', name, {}, opts);
    const schema = checked(name, args.properties);
    const declare = (key: string): ContactProperty =>
      new ContactProperty(`${name}-${key}`, { name: key, type: schema[key] ?? 'string' }, { parent: this });
    const properties: Record<string, ContactProperty> = {};
    for (const key of Object.keys(schema)) properties[key] = declare(key);
    if (!declaresAll(schema, properties)) throw new Error(`ContactSchema '${name}' lacks a property.`);
    this.properties = properties;
    this.Contact = Contact;
    this.Contacts = Contacts;
    this.registerOutputs();
  }
}

function checked<Schema extends PropertyTypesByName>(name: string, properties: Schema): Schema {
  try {
    return defineContactSchema(properties);
  } catch (error) {
    if (error instanceof AudienceError) throw plainError(`ContactSchema '${name}': ${error.message}`);
    throw error;
  }
}

function declaresAll<Schema extends PropertyTypesByName>(
  schema: Schema,
  made: Readonly<Record<string, ContactProperty>>,
): made is Readonly<Record<keyof Schema & string, ContactProperty>> {
  return Object.keys(schema).every((name) => Object.hasOwn(made, name));
}
