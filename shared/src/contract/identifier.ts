import { z } from 'zod/v4';

/** Texts that a URL takes for path steps, and the name of another endpoint at the same place. */
const UNADDRESSABLE: readonly string[] = ['.', '..', 'properties'];

/**
 * Identifier of a contact in a path: its email address or its userId, as the person has it (not encoded).
 * `.` and `..` would be taken for path steps and `properties` is another endpoint, so the three are refused.
 */
export const contactIdentifierSchema = z
  .string()
  .min(1, 'must not be empty')
  .refine((identifier) => !UNADDRESSABLE.includes(identifier), {
    error: (issue) =>
      `'${String(issue.input)}' cannot be used in a path, because it would address something else; use the contact's other identifier`,
  })
  .refine((identifier) => identifier.isWellFormed(), 'must be well-formed Unicode text')
  .meta({ examples: ['ada@example.com'] });
