import {
  fieldSchema,
  fieldsSetBy,
  propertyNameSchema,
  propertyTypeSchema,
  propertyValueSchema,
  type FieldSetBy,
  type FieldValues,
} from 'audience-core/internal';
import * as z from 'zod/mini';

const TIMESTAMP = 'must be ISO 8601 in UTC, such as 2026-01-12T09:00:00Z';

/** ISO 8601 in UTC, with seconds: zod makes them optional, RFC 3339 does not. */
export const timestampSchema = z.iso.datetime(TIMESTAMP).check(z.regex(/T\d\d:\d\d:\d\d/, TIMESTAMP));

const idSchema = z.string().check(z.minLength(1, 'must not be empty'));

/** A design or automation's mail: subject and HTML body with `{{variables}}`; both have a sensible default. */
const templateFields = {
  subject: z.optional(z.string()),
  body: z.optional(z.string()),
  /** Variables that it expects; read from subject and body when left out. */
  dataVariables: z.optional(z.array(z.string())),
};

export const seedDesignSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  lastUpdated: z.optional(timestampSchema),
  ...templateFields,
});

const seedAutomationSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  eventName: z.string().check(z.minLength(1, 'must not be empty')),
  ...templateFields,
});

type FieldName = FieldSetBy<'updateContact'>;

/** A field as a seed has it: as it can be set, but that `subscribed` may also be true. */
type SeedField<Name extends FieldName> = Name extends 'subscribed'
  ? boolean
  : Exclude<FieldValues<FieldName>[Name], undefined>;

function seedFields(): {
  [Name in FieldName]: z.ZodMiniOptional<z.ZodMiniType<SeedField<Name>, SeedField<Name>>>;
};
function seedFields(): Record<string, z.ZodMiniOptional> {
  return Object.fromEntries(
    fieldsSetBy('updateContact').map((name) => [
      name,
      z.optional(name === 'subscribed' ? z.boolean() : fieldSchema(name)),
    ]),
  );
}

export const seedContactSchema = z
  .strictObject({
    ...seedFields(),
    /** Custom properties by key; each must be declared under `properties`. */
    properties: z.optional(z.record(z.string(), propertyValueSchema)),
  })
  .check(
    z.refine((contact) => contact.email !== undefined || contact.userId !== undefined, {
      error: "needs an 'email', a 'userId' or both",
    }),
  );

/** What an account holds at the start. What is left out is empty. */
export const seedSchema = z.strictObject({
  designs: z.optional(z.array(seedDesignSchema)),
  automations: z.optional(z.array(seedAutomationSchema)),
  subscriptionGroups: z.optional(
    z.array(
      z.strictObject({ id: idSchema, name: z.string(), description: z.optional(z.nullable(z.string())) }),
    ),
  ),
  properties: z.optional(
    z.array(
      z.strictObject({ name: propertyNameSchema, type: propertyTypeSchema, label: z.optional(z.string()) }),
    ),
  ),
  contacts: z.optional(z.array(seedContactSchema)),
});

/** What an account holds at the start: designs, automations, subscription groups, properties, contacts. */
export type Seed = z.input<typeof seedSchema>;
export type SeedDesign = z.output<typeof seedDesignSchema>;
export type SeedAutomation = z.output<typeof seedAutomationSchema>;
export type SeedContact = z.output<typeof seedContactSchema>;
