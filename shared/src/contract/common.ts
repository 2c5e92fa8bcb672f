import * as z from '../zod.js';
import { refuse } from './rule.js';
import { PROPERTY_TYPES } from '../types.js';

/** Schema of {@link PROPERTY_TYPES}. */
export const propertyTypeSchema = z.enum(PROPERTY_TYPES);

/** Schema of {@link PropertyValue}. */
export const propertyValueSchema = z.union([z.string(), z.number(), z.boolean()], 'propertyValue');

/** Any text but the empty one. */
export const nonEmptySchema = z.string().check(z.minLength(1));

/** Map of subscription group id to whether the contact is subscribed to it. */
export const subscriptionGroupsSchema = z.record(nonEmptySchema, z.boolean());

/** One email address, without white space, invisible characters, `mailto:`, quotation marks, brackets or commas. */
// Ranges and not \p{Cf}: the pattern stands in OpenAPI documents, which other languages read.
const EMAIL =
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  /^(?!.*[<>()[\]\\,;:"\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff])[^\s@]+@[^\s@.']+(\.[^\s@.']+)*$/;

/** An email address; the interface says no more of it. */
export const emailSchema = z
  .string()
  .check(z.regex(EMAIL, 'invalidEmail'))
  .register(z.globalRegistry, { examples: ['ada@example.com'] });

/** A client-side user identifier: any text that is not empty. */
export const userIdSchema = z
  .string()
  .check(z.minLength(1))
  .register(z.globalRegistry, { examples: ['user-42'] });

/** The response of a call that only tells whether it worked. */
export const successSchema = z.looseObject({ success: z.boolean() });

/** How long the key of an email lives, in milliseconds (interface: Limits). We assume the same of events. */
export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Schema of the `Idempotency-Key` header: 1 to 100 printable ASCII characters (interface: Limits). */
export const idempotencyKeySchema = z
  .string()
  .check(z.minLength(1), z.maxLength(100), z.regex(/^(?! )[\x20-\x7e]*(?<! )$/, 'notAscii'));

/** Statuses that a service may use for "a request with this key succeeded". */
export const USED_KEY_STATUSES = [400, 409, 412, 422, 425] as const;

/** Schema of {@link USED_KEY_STATUSES}. */
export const usedKeyStatusSchema = z.literal(USED_KEY_STATUSES);

/** Schema of an API key. */
export const apiKeySchema = z
  .string()
  .check(z.minLength(1, { abort: true }), z.regex(/^[\x21-\x7e]+$/, 'invalidApiKey'));

/** Texts that a URL reads as path steps, and the name of another endpoint at the same path. */
const UNADDRESSABLE: readonly string[] = ['.', '..', 'properties'];

/** Identifier of a contact in a path: its email address or its userId, not encoded. */
export const contactIdentifierSchema = z
  .string()
  .check(
    z.minLength(1),
    refuse((identifier: string) =>
      UNADDRESSABLE.includes(identifier) || !identifier.isWellFormed()
        ? { code: 'otherMeaning', given: identifier }
        : undefined,
    ),
  )
  .register(z.globalRegistry, { examples: ['ada@example.com'] });

/** Whether a path can hold a userId. We assume that the service reads one with an `@` as an email address. */
export function canAddress(userId: string | null | undefined): userId is string {
  return typeof userId === 'string' && userId !== '' && !userId.includes('@');
}
