import * as z from '../zod.js';

/** Texts that a URL reads as path steps, and the name of another endpoint at the same path. */
const UNADDRESSABLE: readonly string[] = ['.', '..', 'properties'];

/** Identifier of a contact in a path: its email address or its userId, not encoded. */
export const contactIdentifierSchema = z
  .string()
  .check(
    z.minLength(1, 'must not be empty'),
    z.refine((identifier) => !UNADDRESSABLE.includes(identifier), {
      error: ({ input }) =>
        `'${String(input)}' has another meaning in a URL; use the contact's email address`,
    }),
    z.refine((identifier) => identifier.isWellFormed(), 'must be well-formed Unicode text'),
  )
  .register(z.globalRegistry, { examples: ['ada@example.com'] });

/** Whether a path can hold a userId: the service reads one with an `@` as an email address. */
export function canAddress(userId: string | null | undefined): userId is string {
  return typeof userId === 'string' && userId !== '' && !userId.includes('@');
}
