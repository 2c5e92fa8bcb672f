import * as z from 'zod/mini';
import { readAs } from './read-as.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Each option with its values, the default first. `docs/profiles.md` says what each of them is. */
export const profileSchema = z.strictObject({
  duplicates: z.literal(['replay', 'refuse']),
  usedKeyStatus: z.literal([409, 400, 412, 422, 425]),
  otherPayload: z.literal([409, 400, 422, 'replay']),
  keptKeys: z.literal(['success', '5xx', 'all']),
  eventKeyLifetimeMs: z.int().check(z.minimum(1), z.maximum(365 * DAY_MS)),
  retryAfter: z.literal(['seconds', 'date', 'omitted']),
  unset: z.literal([null, 'omitted']),
  shownGroups: z.literal(['set', 'all', 'joined']),
  missingVariables: z.literal(['accept', 'refuse']),
  visibleAfterMs: z.int().check(z.minimum(0), z.maximum(DAY_MS)),
});

/** The behaviour of a service where the interface does not define it. */
export type Profile = z.output<typeof profileSchema>;

const DEFAULT: Profile = {
  duplicates: 'replay',
  usedKeyStatus: 409,
  otherPayload: 409,
  keptKeys: 'success',
  eventKeyLifetimeMs: DAY_MS,
  retryAfter: 'seconds',
  unset: null,
  shownGroups: 'set',
  missingVariables: 'accept',
  visibleAfterMs: 0,
};

/** Kinds of services that have a name. A missing option is as in `default`. */
export const PRESETS = {
  default: DEFAULT,
  /** The most awkward that the interface allows. */
  awkward: {
    ...DEFAULT,
    duplicates: 'refuse',
    keptKeys: '5xx',
    eventKeyLifetimeMs: HOUR_MS,
    retryAfter: 'omitted',
    unset: 'omitted',
    shownGroups: 'all',
    missingVariables: 'refuse',
    visibleAfterMs: 700,
  },
} as const satisfies Readonly<Record<string, Profile>>;

/** Name of a kind of service. */
export type Preset = keyof typeof PRESETS;

const presetSchema = z.enum(['default', 'awkward'] satisfies Preset[]);

/** Names of the kinds of services. */
export const PRESET_NAMES: readonly Preset[] = presetSchema.options;

/** A profile as it is given: what is left out is as in the preset. */
export const newProfileSchema = z.extend(z.partial(profileSchema), {
  preset: z
    .optional(presetSchema)
    .check(z.describe('Kind of service to start from; `default` unless given.')),
});

/** A profile as it is given: what is left out is as in the preset, and that is `default` unless given. */
export type NewProfile = z.input<typeof newProfileSchema>;

/** Reads a profile. @throws SandboxError 400 that names what is wrong with it. */
export function readProfile(input: unknown): Profile {
  const { preset = 'default', ...options } = readAs(newProfileSchema, input, 'a profile');
  const given = Object.entries<unknown>(options).filter(([, value]) => value !== undefined);
  return readAs(profileSchema, { ...PRESETS[preset], ...Object.fromEntries(given) });
}
