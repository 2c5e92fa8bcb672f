import { apiKeySchema, nonEmptySchema } from '../contract/common.js';
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

const environmentSchema = z.object({
  AUDIENCE_BASE_URL: nonEmptySchema,
  AUDIENCE_API_KEY: nonEmptySchema,
  AUDIENCE_ALLOW_INSECURE: z.optional(z.string()),
});

/** The service of the environment. @throws ValidationError that names each missing or faulty variable. */
export function credentialsFromEnv() {
  const variables = typeof process === 'undefined' ? {} : process.env;
  const env = validate(environmentSchema, variables, 'The client cannot be made from the environment');
  const { AUDIENCE_BASE_URL: baseUrl, AUDIENCE_API_KEY: apiKey, AUDIENCE_ALLOW_INSECURE } = env;
  return { baseUrl, apiKey, ...(AUDIENCE_ALLOW_INSECURE === 'true' && { allowInsecure: true }) };
}
