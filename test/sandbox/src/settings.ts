import * as z from 'zod/mini';
import { clockStateSchema } from './clock.js';
import { faultSchema } from './faults/fault.js';
import { rateLimitSchema } from './faults/rate-limit.js';
import { profileSchema } from './profile.js';

/** What is set on a sandbox beside what its account holds: all of it outlives a restart. */
export const settingsSchema = z.object({
  clock: clockStateSchema,
  faults: z.object({
    /** How many were ever set. */
    last: z.int(),
    set: z.array(faultSchema),
  }),
  rateLimit: z.nullable(rateLimitSchema),
  profile: profileSchema,
});

/** What is set on a sandbox beside what its account holds. */
export type Settings = z.output<typeof settingsSchema>;
