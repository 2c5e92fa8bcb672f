import * as z from 'zod';
import { KEY_ERRORS } from './service/key-errors.js';
import { readAs } from './read-as.js';

/** The longest that something may show late, in milliseconds: a day. */
const LONGEST_DELAY_MS = 24 * 60 * 60 * 1000;

function oneOf<const Values extends readonly (string | number | null)[]>(
  values: Values,
  section: string,
  description: string,
) {
  return z.literal(values).meta({ section, description });
}

function delay(section: string, description: string) {
  return z.int().min(0).max(LONGEST_DELAY_MS).meta({ section, description });
}

/** Each option with its values, its section of the interface, and what it is. */
export const profileSchema = z.strictObject({
  duplicates: oneOf(
    ['replay', 'refuse'],
    'Limits',
    'A used idempotency key: replay the stored response (and refuse another body), or refuse it with 409.',
  ),
  keyErrors: oneOf(
    KEY_ERRORS,
    'Errors',
    'Words and status of the refusal of a key that is in progress, or was used with another body: as Stripe, Resend, Square, Adyen or the IETF draft write them.',
  ),
  errorBody: oneOf(
    ['message', 'error', 'errors', 'text', 'none'],
    'Errors',
    'Body of an error: `{"success": false, "message": …}`, `{"error": …}`, `{"errors": [{"message": …}]}`, plain text, or none.',
  ),
  refusal: oneOf(
    ['status', 'success-false'],
    'Errors',
    'A write that the account does not allow: a status of its own, or 200 with `"success": false`.',
  ),
  unknownContact: oneOf([404, 400], 'Errors', 'Status for a contact that does not exist.'),
  existingProperty: oneOf([409, 400], 'Errors', 'Status for creating a property that exists already.'),
  requestId: oneOf(['given', 'omitted'], 'Errors', 'Header `X-Request-Id` of a response.'),
  retryAfter: oneOf(
    ['seconds', 'date', 'omitted'],
    'Limits',
    'Header `Retry-After` of the 429 of a rate limit: seconds, an HTTP date, or none.',
  ),
  updateId: oneOf(
    ['given', 'omitted'],
    'PUT /v1/contacts/{identifier}',
    'Field `id` of the response to an update.',
  ),
  unset: oneOf(
    [null, 'omitted'],
    'Resources and their fields',
    'A field of a response that is not set: `null`, or left out.',
  ),
  lastCursor: oneOf(
    [null, 'omitted', 'empty'],
    'Pagination object',
    '`nextCursor` of the last page: `null`, left out, or empty. `nextPage` is `null` or left out.',
  ),
  furtherFields: oneOf(
    ['omitted', 'given'],
    'Resources and their fields',
    'Extra response fields that are not in the API description: left out, or added.',
  ),
  emailProperties: oneOf(
    ['refuse', 'ignore', 'keep'],
    'POST /v1/transactional',
    'Custom properties beside `addToAudience`: refuse the email with 400, send it without them, or keep them.',
  ),
  missingVariables: oneOf(
    ['accept', 'refuse'],
    'POST /v1/transactional',
    'An email without a variable that its design expects: sent, or refused with 400.',
  ),
  propertyDelayMs: delay(
    'POST /v1/contacts/properties',
    'How long a new property is missing from the list, in milliseconds.',
  ),
  contactDelayMs: delay(
    'POST /v1/events/send',
    'How long a new contact cannot be read or updated, in milliseconds.',
  ),
});

/** The behaviour of a service where the interface does not define it. */
export type Profile = z.output<typeof profileSchema>;

/** The first value of each option; no delays. */
const DEFAULT: Profile = profileSchema.parse(
  Object.fromEntries(
    Object.entries(profileSchema.shape).map(([name, option]) => [
      name,
      'values' in option ? [...option.values][0] : 0,
    ]),
  ),
);

/** Kinds of services that have a name. A missing option is as in `default`. */
export const PRESETS = {
  default: DEFAULT,
  /** Says as little as it may. */
  lean: {
    ...DEFAULT,
    errorBody: 'none',
    requestId: 'omitted',
    retryAfter: 'omitted',
    updateId: 'omitted',
    unset: 'omitted',
    lastCursor: 'omitted',
    emailProperties: 'ignore',
  },
  /** Refuses repeated and incomplete requests, and says so in detail. */
  strict: {
    ...DEFAULT,
    duplicates: 'refuse',
    errorBody: 'errors',
    unknownContact: 400,
    existingProperty: 400,
    retryAfter: 'date',
    furtherFields: 'given',
    missingVariables: 'refuse',
  },
  /** Shows what is new only after a while. */
  eventual: {
    ...DEFAULT,
    errorBody: 'error',
    lastCursor: 'empty',
    emailProperties: 'keep',
    propertyDelayMs: 700,
    contactDelayMs: 700,
  },
  /** The most awkward that the interface allows. */
  awkward: {
    ...DEFAULT,
    duplicates: 'refuse',
    errorBody: 'text',
    refusal: 'success-false',
    unknownContact: 400,
    existingProperty: 400,
    requestId: 'omitted',
    retryAfter: 'omitted',
    updateId: 'omitted',
    unset: 'omitted',
    lastCursor: 'empty',
    furtherFields: 'given',
    missingVariables: 'refuse',
    propertyDelayMs: 700,
    contactDelayMs: 700,
  },
} as const satisfies Readonly<Record<string, Profile>>;

/** Name of a kind of service. */
export type Preset = keyof typeof PRESETS;

const presetSchema = z.enum(['default', 'lean', 'strict', 'eventual', 'awkward'] satisfies Preset[]);

/** Names of the kinds of services. */
export const PRESET_NAMES: readonly Preset[] = presetSchema.options;

/** A profile as it is given: what is left out is as in the preset. */
export const newProfileSchema = profileSchema.partial().extend({
  preset: presetSchema.optional().describe('Kind of service to start from; `default` unless given.'),
});

/** A profile as it is given: what is left out is as in the preset, and that is `default` unless given. */
export type NewProfile = z.input<typeof newProfileSchema>;

/** Reads a profile. @throws SandboxError 400 that names what is wrong with it. */
export function readProfile(input: unknown): Profile {
  const { preset = 'default', ...options } = readAs(newProfileSchema, input, 'a profile');
  const given = Object.entries<unknown>(options).filter(([, value]) => value !== undefined);
  return readAs(profileSchema, { ...PRESETS[preset], ...Object.fromEntries(given) });
}
