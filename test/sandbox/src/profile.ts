import * as z from 'zod/mini';
import { readAs } from './read-as.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

function oneOf<const Values extends readonly (string | number | null)[]>(
  values: Values,
  section: string,
  description: string,
) {
  return z.literal(values).check(z.meta({ section, description }));
}

function milliseconds(usual: number, min: number, max: number, section: string, description: string) {
  return z.int().check(z.minimum(min), z.maximum(max), z.meta({ section, description, default: usual }));
}

/** Each option with its values, its section of the interface, and what it is. */
export const profileSchema = z.strictObject({
  duplicates: oneOf(
    ['replay', 'refuse'],
    'Limits',
    'A used idempotency key: replay the stored response, or refuse the request.',
  ),
  usedKeyStatus: oneOf(
    [409, 400, 412, 422, 425],
    'Errors',
    'Status of that refusal. A key of a request in progress is 409.',
  ),
  otherPayload: oneOf(
    [409, 400, 422, 'replay'],
    'Errors',
    'With `duplicates: replay`, a used key with another body: the status of the refusal, or the stored response.',
  ),
  keptKeys: oneOf(
    ['success', '5xx', 'all'],
    'Limits',
    'Which requests use up their key: those that were carried out, also those that got a 5xx, or all.',
  ),
  eventKeyLifetimeMs: milliseconds(
    DAY_MS,
    1,
    365 * DAY_MS,
    'Limits',
    'How long the key of an event is remembered, in milliseconds.',
  ),
  retryAfter: oneOf(
    ['seconds', 'date', 'omitted'],
    'Limits',
    'Header `Retry-After` of the 429 of a rate limit: seconds, an HTTP date, or none.',
  ),
  unset: oneOf(
    [null, 'omitted'],
    'Resources and their fields',
    'A field of a response that is not set: `null`, or left out.',
  ),
  shownGroups: oneOf(
    ['set', 'all', 'joined'],
    'Contact',
    'Groups in the record of a contact: those that it joined or left, all (`false` where it never joined), or those that it is in.',
  ),
  missingVariables: oneOf(
    ['accept', 'refuse'],
    'POST /v1/transactional',
    'An email without a variable that its design expects: sent, or refused with 400.',
  ),
  visibleAfterMs: milliseconds(
    0,
    0,
    DAY_MS,
    'Endpoints',
    'How long a new property is missing from the list, and a new contact cannot be read or updated, in milliseconds.',
  ),
});

/** The behaviour of a service where the interface does not define it. */
export type Profile = z.output<typeof profileSchema>;

/** The first value of each option, or the usual number. */
const DEFAULT: Profile = profileSchema.parse(
  Object.fromEntries(
    Object.entries(profileSchema.shape).map(([name, option]) => [
      name,
      'values' in option.def ? option.def.values[0] : z.globalRegistry.get(option)?.['default'],
    ]),
  ),
);

/** What an option of a profile decides. */
export function descriptionOf(name: string): string {
  const option = Object.entries(profileSchema.shape).find(([key]) => key === name)?.[1];
  return (option && z.globalRegistry.get(option)?.description) ?? '';
}

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
