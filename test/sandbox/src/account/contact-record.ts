import {
  CONTACT_FIELDS,
  fieldsSetBy,
  propertyValueSchema,
  type ContactField,
  type FieldSetBy,
} from 'audience-core/internal';
import type { PropertyValue } from 'audience-core';
import * as z from 'zod/mini';
import { hiddenSchema } from './records.js';

type FieldName = FieldSetBy<'updateContact'>;

/** What is kept of a field: `null` where a contact has none. */
type Kept<Name extends FieldName> = {
  string: string | null;
  number: number | null;
  date: number | null;
  boolean: boolean | null;
  groups: Record<string, boolean>;
}[(typeof CONTACT_FIELDS)[Name]['type']];

/** Names of the fields that are kept, in the order of the contract. */
export const KEPT_FIELDS: readonly string[] = fieldsSetBy('updateContact');

/** Schemas of the stored values. */
const KEPT_SCHEMAS: Readonly<Record<ContactField['type'], z.ZodMiniType>> = {
  string: z.nullable(z.string()),
  number: z.nullable(z.number()),
  date: z.nullable(z.number()),
  boolean: z.nullable(z.boolean()),
  groups: z.record(z.string(), z.boolean()),
};

/** The schema of each field; with `asStored`, one that is missing has the value of a new contact. */
function keptSchemas(asStored: true): {
  [Name in Exclude<FieldName, 'subscribed'>]: z.ZodMiniType<Kept<Name>>;
};
function keptSchemas(asStored: false): {
  [Name in FieldName]: z.ZodMiniOptional<z.ZodMiniType<Kept<Name>, Kept<Name>>>;
};
function keptSchemas(asStored: boolean): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    fieldsSetBy('updateContact').map((name) => {
      const { type } = CONTACT_FIELDS[name];
      const schema = KEPT_SCHEMAS[type];
      return [name, asStored ? z._default(schema, type === 'groups' ? {} : null) : z.optional(schema)];
    }),
  );
}

/**
 * A contact as the account keeps it: the fields of the contract, and custom properties by their keys. A field that
 * is not there has the value that it has on a new contact.
 */
export const contactRecordSchema = z.object({
  id: z.string(),
  ...keptSchemas(true),
  // A new contact has not opted out.
  subscribed: z._default(z.boolean(), true),
  properties: z._default(z.record(z.string(), propertyValueSchema), {}),
  createdAt: z.string(),
  updatedAt: z.string(),
  hidden: hiddenSchema,
});
export type ContactRecord = z.output<typeof contactRecordSchema>;

export const contactFilterSchema = z.strictObject({
  id: z.optional(z.string()),
  ...keptSchemas(false),
  /** Custom properties and their values; the contact may have others too. */
  properties: z.optional(z.record(z.string(), z.nullable(propertyValueSchema))),
  /** Id of a contact: only those after it. */
  after: z.optional(z.string()),
});

/** Which contacts: all that is given must fit; `null` stands for what is not set. */
export type ContactFilter = z.input<typeof contactFilterSchema>;

/** Parts of it that are empty are shared by all contacts: a record is never changed once it is stored. */
const NEW_CONTACT = contactRecordSchema.parse({ id: '', createdAt: '', updatedAt: '' });

/** A contact without any values. */
export function newContact(id: string, now: string): ContactRecord {
  return { ...NEW_CONTACT, id, createdAt: now, updatedAt: now };
}

/** The contact with some fields set; `undefined` keeps the value, and groups that are not named stay. */
export function withFields(
  contact: ContactRecord,
  fields: Readonly<Record<string, unknown>>,
  updatedAt: string,
): ContactRecord {
  const groups: unknown = fields['subscriptionGroups'];
  const changed = KEPT_FIELDS.filter((name) => fields[name] !== undefined).map((name): [string, unknown] => [
    name,
    fields[name],
  ]);
  return {
    ...contact,
    ...Object.fromEntries(changed),
    subscriptionGroups:
      typeof groups === 'object' ? { ...contact.subscriptionGroups, ...groups } : contact.subscriptionGroups,
    updatedAt,
  };
}

/** Custom properties with some changed; `null` clears one. */
export function withChanges(
  properties: Readonly<Record<string, PropertyValue>>,
  changes: Readonly<Record<string, PropertyValue | null>>,
): Readonly<Record<string, PropertyValue>> {
  if (Object.keys(changes).length === 0) return properties;
  const values: [string, PropertyValue][] = [];
  for (const [name, value] of Object.entries({ ...properties, ...changes })) {
    if (value !== null) values.push([name, value]);
  }
  return Object.fromEntries(values);
}
