import { apiKeySchema } from '../contract/common.js';
import { refuse } from '../contract/rule.js';
import { validate } from '../issues.js';
import { CANNOT_BE_MADE } from '../messages/problems.js';
import * as z from '../zod.js';

const keySchema = z.object({ apiKey: apiKeySchema });

/**
 * The API key of a client's options, or of a host's credential.
 *
 * @throws ValidationError for a key that is missing, or that no header can hold.
 */
export function checkApiKey(options: unknown, what = CANNOT_BE_MADE): string {
  return validate(keySchema, options, what).apiKey;
}

const variable = z.string('notSet').check(z.minLength(1, 'notSet'));
/** Every variable is a text, so the problem does not say what was given. */
const trueOrFalse = (value: string) =>
  ['', 'true', 'false'].includes(value) ? undefined : ({ code: 'wrongType', expected: 'boolean' } as const);
const environmentSchema = z.object({
  AUDIENCE_BASE_URL: variable,
  AUDIENCE_API_KEY: variable,
  AUDIENCE_ALLOW_INSECURE: z.optional(z.string().check(refuse(trueOrFalse))),
});

/** The service of the environment. @throws ValidationError that names each missing or faulty variable. */
export function credentialsFromEnv() {
  const variables = typeof process === 'undefined' ? {} : process.env;
  const env = validate(environmentSchema, variables, 'The client cannot be made from the environment');
  const { AUDIENCE_BASE_URL: baseUrl, AUDIENCE_API_KEY: apiKey, AUDIENCE_ALLOW_INSECURE } = env;
  return { baseUrl, apiKey, ...(AUDIENCE_ALLOW_INSECURE === 'true' && { allowInsecure: true }) };
}
