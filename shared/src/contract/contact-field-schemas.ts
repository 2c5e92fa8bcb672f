import * as z from '../zod.js';
import { emailSchema, subscriptionGroupsSchema, userIdSchema } from './common.js';
import {
  CONTACT_FIELDS,
  contactFieldEntries,
  fieldsSetBy,
  type ContactField,
  type ContactFieldName,
  type FieldWriter,
} from './contact-fields.js';

/** Schema of the values that a request may give each field of a contact. */
export const FIELD_SCHEMAS = {
  email: emailSchema,
  firstName: z.string(),
  lastName: z.string(),
  userId: userIdSchema,
  source: z.string(),
  subscribed: z.literal(false, 'onlyFalse'),
  subscriptionGroups: subscriptionGroupsSchema,
  createdAt: z.int(),
} as const satisfies Readonly<Record<ContactFieldName, z.ZodMiniType>>;

/** Schema of the wire value of each type of field. */
export const WIRE_SCHEMAS: Readonly<Record<ContactField['type'], z.ZodMiniType>> = {
  string: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  date: z.number(),
  groups: z.record(z.string(), z.boolean()),
};

/** Optional schemas of the fields that a call can set; in an update, `null` clears what can be cleared. */
export function fieldSchemas(writer: FieldWriter): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    fieldsSetBy(writer).map((name) => {
      const { clearable }: ContactField = CONTACT_FIELDS[name];
      const schema = FIELD_SCHEMAS[name];
      return [name, z.optional(clearable && writer === 'updateContact' ? z.nullable(schema) : schema)];
    }),
  );
}

/** Lenient schemas of the fields of a contact as it is read. */
export function readSchemas(): Record<string, z.ZodMiniType> {
  const known = contactFieldEntries.filter(([, { setBy }]) => setBy.length > 0);
  return Object.fromEntries(known.map(([name, { type }]) => [name, z.nullish(WIRE_SCHEMAS[type])]));
}
