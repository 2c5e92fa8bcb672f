import {
  FIELD_SCHEMAS,
  fieldsSetBy,
  propertyNameSchema,
  propertyTypeSchema,
  propertyValueSchema,
} from 'audience-core/internal';
import type { FieldSetBy, FieldValues } from 'audience-core/internal';
import * as z from 'zod';

const TIMESTAMP = 'must be ISO 8601 in UTC, such as 2026-01-12T09:00:00Z';

/** ISO 8601 in UTC, with seconds: zod makes them optional, RFC 3339 does not. */
export const timestampSchema = z.iso.datetime(TIMESTAMP).regex(/T\d\d:\d\d:\d\d/, TIMESTAMP);

const idSchema = z.string().min(1, 'must not be empty');

/** A design or automation's mail: subject and HTML body with `{{variables}}`; both have a sensible default. */
const templateFields = {
  subject: z.string().optional(),
  body: z.string().optional(),
  /** Variables that it expects; read from subject and body when left out. */
  dataVariables: z.array(z.string()).optional(),
};

export const seedDesignSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  lastUpdated: timestampSchema.optional(),
  ...templateFields,
});

const seedAutomationSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  eventName: z.string().min(1, 'must not be empty'),
  ...templateFields,
});

type FieldName = FieldSetBy<'updateContact'>;

/** A field as a seed has it: as it can be set, but that `subscribed` may also be true. */
type SeedField<Name extends FieldName> = Name extends 'subscribed'
  ? boolean
  : Exclude<FieldValues<FieldName>[Name], undefined>;

function seedFields(): { [Name in FieldName]: z.ZodOptional<z.ZodType<SeedField<Name>, SeedField<Name>>> };
function seedFields(): Record<string, z.ZodOptional> {
  return Object.fromEntries(
    fieldsSetBy('updateContact').map((name) => [
      name,
      z.optional(name === 'subscribed' ? z.boolean() : FIELD_SCHEMAS[name]),
    ]),
  );
}

export const seedContactSchema = z
  .strictObject({
    ...seedFields(),
    /** Custom properties by key; each must be declared under `properties`. */
    properties: z.record(z.string(), propertyValueSchema).optional(),
  })
  .refine((contact) => contact.email !== undefined || contact.userId !== undefined, {
    error: "needs an 'email', a 'userId' or both",
  });

/** What an account holds at the start. What is left out is empty. */
export const seedSchema = z.strictObject({
  designs: z.array(seedDesignSchema).optional(),
  automations: z.array(seedAutomationSchema).optional(),
  subscriptionGroups: z
    .array(z.strictObject({ id: idSchema, name: z.string(), description: z.string().nullable().optional() }))
    .optional(),
  properties: z
    .array(
      z.strictObject({ name: propertyNameSchema, type: propertyTypeSchema, label: z.string().optional() }),
    )
    .optional(),
  contacts: z.array(seedContactSchema).optional(),
});

/** What an account holds at the start: designs, automations, subscription groups, properties, contacts. */
export type Seed = z.input<typeof seedSchema>;
export type SeedDesign = z.output<typeof seedDesignSchema>;
export type SeedAutomation = z.output<typeof seedAutomationSchema>;
export type SeedContact = z.output<typeof seedContactSchema>;
