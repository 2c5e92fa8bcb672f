import * as z from '../zod.js';
import { emailSchema, subscriptionGroupsSchema, userIdSchema } from './common.js';
import {
  CONTACT_FIELDS,
  contactFieldEntries,
  fieldsSetBy,
  type ContactField,
  type ContactFieldName,
  type ContactIdentifierName,
  type FieldWriter,
} from './contact-fields.js';
import { propertyValueProblem } from './property-values.js';
import { refuse } from './rule.js';

/** An identifier has a form of its own. */
const IDENTIFIER_SCHEMAS: Readonly<Partial<Record<ContactFieldName, z.ZodMiniType>>> = {
  email: emailSchema,
  userId: userIdSchema,
} satisfies Record<ContactIdentifierName, z.ZodMiniType>;

/** Schema of the wire value of each type of field. */
export const WIRE_SCHEMAS: Readonly<Record<ContactField['type'], z.ZodMiniType>> = {
  string: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  date: z.number(),
  groups: z.record(z.string(), z.boolean()),
};

/** Schema of the values that a request may give, by the type of the field. */
const WRITTEN_SCHEMAS = {
  ...WIRE_SCHEMAS,
  date: z.int('date').check(refuse((seconds: unknown) => propertyValueProblem('date', seconds))),
  groups: subscriptionGroupsSchema,
};

/** Schema of the values that a request may give a field. */
export function fieldSchema(name: ContactFieldName): z.ZodMiniType {
  const { type, only }: ContactField = CONTACT_FIELDS[name];
  const schema = only === undefined ? WRITTEN_SCHEMAS[type] : z.literal(only, 'onlyFalse');
  return IDENTIFIER_SCHEMAS[name] ?? schema;
}

/** Optional schemas of the fields that a call can set; in an update, `null` clears what can be cleared. */
export function fieldSchemas(writer: FieldWriter): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    fieldsSetBy(writer).map((name) => {
      const { clearable }: ContactField = CONTACT_FIELDS[name];
      const schema = fieldSchema(name);
      return [name, z.optional(clearable && writer === 'updateContact' ? z.nullable(schema) : schema)];
    }),
  );
}

/** Lenient schemas of the fields of a contact as it is read. */
export function readSchemas(): Record<string, z.ZodMiniType> {
  const known = contactFieldEntries.filter(([, { setBy }]) => setBy.length > 0);
  return Object.fromEntries(known.map(([name, { type }]) => [name, z.nullish(WIRE_SCHEMAS[type])]));
}
