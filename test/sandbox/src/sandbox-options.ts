import { apiKeySchema } from 'audience-core/internal';
import * as z from 'zod/mini';
import { rateLimitSchema } from './faults/rate-limit.js';
import type { NewProfile } from './profile.js';
import type { Seed } from './seed/schema.js';

/** API key of a sandbox that was started without one. */
export const DEFAULT_API_KEY = 'audience-sandbox-key';

const filled = z.string().check(z.regex(/\S/, 'must not be empty'));
const KEY = 'must be ASCII characters without a space, as a header carries it';
const PORT = 'must be a whole number from 0 to 65535';

export const portSchema = z.int(PORT).check(z.minimum(0, PORT), z.maximum(65_535, PORT));

export const optionsSchema = z.strictObject({
  /** Port to listen on; 0, unless given, chooses a free one. */
  port: z.optional(portSchema),
  /** Address to listen on; 127.0.0.1 unless given, which is closed to the network. */
  host: z.optional(filled),
  /** Key that callers must send; {@link DEFAULT_API_KEY} unless given. */
  apiKey: z.optional(z.string().check(z.refine((key) => apiKeySchema.safeParse(key).success, KEY))),
  /**
   * Key that the control plane and the inbox ask for, as `Authorization: Bearer KEY` or as the password in a browser.
   * Without one they are open, and only to this machine.
   */
  controlKey: z.optional(filled),
  /** Rate limit of the service; none unless given. */
  rateLimit: z.optional(rateLimitSchema),
  /** Host names that the sandbox accepts, beside `localhost` and plain addresses. */
  allowedHosts: z.optional(z.array(z.string())),
  /** What the account holds at the start; a few designs, groups, properties and contacts unless given. */
  seed: z.optional(z.custom<Seed>()),
  /** SQLite file that keeps everything; in memory unless given. An existing file wins over the seed. */
  dataFile: z.optional(filled),
  /**
   * The behaviour of the service where the interface does not define it: a `preset`, single options, or both. It wins
   * over the data file.
   */
  profile: z.optional(z.custom<NewProfile>()),
  /** Called with a sentence when writing the data file begins to fail, and when it works again. */
  warn: z.optional(
    z.custom<(message: string) => void>((warn) => typeof warn === 'function', 'must be a function'),
  ),
  /** Path under which everything lies, such as `/audience`, without slashes at its end; none unless given. */
  prefix: z.optional(
    z.pipe(
      z.string().check(
        z.refine((prefix) => /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*\/*$/.test(prefix), {
          error: ({ input }) => `must be a path such as '/audience', not '${String(input)}'`,
        }),
      ),
      z.transform((prefix) => prefix.replace(/\/+$/, '')),
    ),
  ),
});

/** How to start a sandbox. */
export type SandboxOptions = z.input<typeof optionsSchema>;
