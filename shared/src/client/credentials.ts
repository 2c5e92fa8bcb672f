import { apiKeyProblem } from '../contract/common.js';
import { ValidationError } from '../errors.js';
import { isRecord } from '../is-record.js';

/**
 * The API key of a client's options, or of what a host keeps.
 *
 * @throws ValidationError for a key that is missing, or that no service could have given.
 */
export function checkApiKey(options: unknown, what = 'The API key cannot be used'): string {
  const apiKey = isRecord(options) ? options['apiKey'] : undefined;
  const message = apiKeyProblem(apiKey);
  if (message === undefined && typeof apiKey === 'string') return apiKey;
  throw new ValidationError(what, [{ path: ['apiKey'], message: message ?? 'is missing' }]);
}

/**
 * Address and key of the service as the environment has them: `AUDIENCE_BASE_URL` and `AUDIENCE_API_KEY`.
 *
 * @throws ValidationError that names each variable that is not set.
 */
export function credentialsFromEnv(): { readonly baseUrl: string; readonly apiKey: string } {
  const env: Readonly<Record<string, string | undefined>> = typeof process === 'undefined' ? {} : process.env;
  const { AUDIENCE_BASE_URL: baseUrl = '', AUDIENCE_API_KEY: apiKey = '' } = env;
  const missing = Object.entries({ AUDIENCE_BASE_URL: baseUrl, AUDIENCE_API_KEY: apiKey }).filter(
    ([, value]) => value === '',
  );
  if (missing.length === 0) return { baseUrl, apiKey };
  throw new ValidationError(
    'The client cannot be made from the environment',
    missing.map(([name]) => ({ path: [name], message: 'is not set' })),
  );
}
