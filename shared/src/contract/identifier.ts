import * as z from '../zod.js';
import { refuse } from './rule.js';

/** Texts that a URL reads as path steps, and the name of another endpoint at the same path. */
const UNADDRESSABLE: readonly string[] = ['.', '..', 'properties'];

/** Identifier of a contact in a path: its email address or its userId, not encoded. */
export const contactIdentifierSchema = z
  .string()
  .check(
    z.minLength(1),
    refuse((identifier: string) =>
      UNADDRESSABLE.includes(identifier) ? { code: 'otherMeaning', given: identifier } : undefined,
    ),
    z.refine((identifier) => identifier.isWellFormed(), 'notUnicode'),
  )
  .register(z.globalRegistry, { examples: ['ada@example.com'] });

/** Whether a path can hold a userId. We assume that the service reads one with an `@` as an email address. */
export function canAddress(userId: string | null | undefined): userId is string {
  return typeof userId === 'string' && userId !== '' && !userId.includes('@');
}
