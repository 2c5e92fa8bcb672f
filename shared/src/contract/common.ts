import * as z from '../zod.js';
import { PROPERTY_TYPES } from './types.js';

/** Schema of {@link PROPERTY_TYPES}. */
export const propertyTypeSchema = z.enum(PROPERTY_TYPES);

/** Schema of {@link PropertyValue}. */
export const propertyValueSchema = z.union(
  [z.string(), z.number(), z.boolean()],
  'must be text, a number, true or false (a date as Unix seconds)',
);

/** Value of a variable of an email (interface: dataVariables; "strings and numbers occur"). */
export const dataVariableSchema = z.union([z.string(), z.number()], 'must be text or a number');

/** Any text but the empty one. */
export const nonEmptySchema = z.string().check(z.minLength(1, 'must not be empty'));

/** Map of subscription group id to whether the contact is subscribed to it. */
export const subscriptionGroupsSchema = z.record(nonEmptySchema, z.boolean());

/** One email address, without white space, invisible characters, `mailto:`, quotation marks, brackets or commas. */
// Ranges and not \p{Cf}: the pattern stands in OpenAPI documents, which other languages read.
const EMAIL =
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  /^(?!.*[<>()[\]\\,;:"\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff])[^\s@]+@[^\s@.']+(\.[^\s@.']+)*$/;

/** Invisible characters, which pasted text often holds. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/u;

/** An email address; the interface says no more of it. */
export const emailSchema = z
  .string()
  .check(
    z.regex(EMAIL, {
      error: ({ input }) => {
        const [invisible] = INVISIBLE.exec(String(input)) ?? [];
        return invisible === undefined
          ? 'must be an email address, such as ada@example.com, and nothing else'
          : `must be an email address without the invisible character U+${codePoint(invisible)}: type it in by hand`;
      },
    }),
  )
  .register(z.globalRegistry, { examples: ['ada@example.com'] });

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/** A client-side user identifier: any text that is not empty. */
export const userIdSchema = z
  .string()
  .check(z.minLength(1, 'must not be empty'))
  .register(z.globalRegistry, { examples: ['user-42'] });

/** The response of a call that only tells whether it worked. */
export const successSchema = z.looseObject({ success: z.boolean() });

/** Time that the service remembers a key, in milliseconds (interface: Limits). For events it is assumed. */
export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Schema of the `Idempotency-Key` header: 1 to 100 printable ASCII characters (interface: Limits). */
export const idempotencyKeySchema = z.string().check(
  z.minLength(1, 'must not be empty'),
  z.maxLength(100, 'must be at most 100 characters long'),
  z.regex(/^[\x20-\x7e]*$/, 'must hold printable ASCII characters only, as it is sent in a header'),
  z.refine((key) => key.trim() === key, 'must not begin or end with a space, as headers lose those'),
);

/** Says why a text cannot be an API key, or `undefined` when it can. */
export function apiKeyProblem(apiKey: unknown): string | undefined {
  if (typeof apiKey !== 'string' || apiKey === '') return 'is missing: give the API key of your account';
  return /^[\x21-\x7e]+$/.test(apiKey)
    ? undefined
    : 'holds a space, a line break or another character that no key has; copy it once more';
}
