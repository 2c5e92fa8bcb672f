import { z } from 'zod/v4';

/**
 * Types that a custom property can have (interface: Data types for custom property values). A `date` is
 * written as Unix time in whole seconds.
 */
export const PROPERTY_TYPES = ['string', 'number', 'boolean', 'date'] as const;

/** Schema of {@link PROPERTY_TYPES}. */
export const propertyTypeSchema = z.enum(PROPERTY_TYPES, {
  error: `must be one of ${PROPERTY_TYPES.join(', ')}`,
});

/** One of `string`, `number`, `boolean`, `date`. */
export type PropertyType = z.infer<typeof propertyTypeSchema>;

/** Value of a custom property as it goes over the wire; a date is Unix seconds, so a number. */
export const propertyValueSchema = z.union([z.string(), z.number(), z.boolean()], {
  error: 'must be text, a number, true or false (a date as Unix seconds)',
});

/** Value of a custom property on the wire: text, a finite number, a boolean, or Unix seconds for a date. */
export type PropertyValue = z.infer<typeof propertyValueSchema>;

/** Value of a variable of an email (interface: dataVariables; "strings and numbers occur"). */
export const dataVariableSchema = z.union([z.string(), z.number()], { error: 'must be text or a number' });

/** Map of subscription group id to whether the contact is subscribed to it. */
export const subscriptionGroupsSchema = z.record(z.string().min(1), z.boolean());

/** An email address as the service takes it: something before and after one `@`, no white space. */
export const emailSchema = z
  .string()
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address, such as ada@example.com')
  .meta({ examples: ['ada@example.com'] });

/** A client-side user identifier: any text that is not empty. */
export const userIdSchema = z
  .string()
  .min(1, 'must not be empty')
  .meta({ examples: ['user-42'] });

/** The answer of a call that only tells whether it worked. */
export const successSchema = z.looseObject({ success: z.boolean() });

/** Longest idempotency key the service takes, in characters (interface: Limits). */
export const IDEMPOTENCY_KEY_MAX_LENGTH = 100;

/** How long the service remembers an idempotency key, in milliseconds: 24 hours (interface: Limits). */
export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Schema of the `Idempotency-Key` header: 1 to 100 printable ASCII characters. */
export const idempotencyKeySchema = z
  .string()
  .min(1, 'must not be empty')
  .max(IDEMPOTENCY_KEY_MAX_LENGTH, `must be at most ${IDEMPOTENCY_KEY_MAX_LENGTH} characters long`)
  .regex(/^[\x20-\x7e]*$/, 'must hold printable ASCII characters only, as it is sent in a header')
  .refine((key) => key.trim() === key, 'must not begin or end with a space, as headers lose those');
