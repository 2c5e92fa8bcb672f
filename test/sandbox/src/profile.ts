import * as z from 'zod';

/** What a service does with a repeated request. */
export const duplicatesSchema = z.enum(['replay', 'refuse']);

/** The ways of a service that the interface leaves open: read where they matter, and given from outside. */
export const profileSchema = z.strictObject({
  /**
   * What a request gets whose idempotency key was used by a finished one: `replay` is the stored response, and
   * 409 for another body; `refuse` is 409 whatever the body. `replay` unless given.
   */
  duplicates: duplicatesSchema
    .default('replay')
    .describe('A used idempotency key: replay its response, or refuse it with 409.'),
});

/** The ways of a service that the interface leaves open. */
export type Profile = z.output<typeof profileSchema>;

/** A profile as it is given: what is left out has its default. */
export type NewProfile = z.input<typeof profileSchema>;
