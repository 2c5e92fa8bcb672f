import { apiKeyProblem } from '../contract/common.js';
import { ValidationError } from '../errors.js';
import type { Problem } from '../messages/problems.js';
import { isRecord } from '../is-record.js';

/**
 * The API key of a client's options, or of a host's credential.
 *
 * @throws ValidationError for a key that is missing, or that no service could have given.
 */
export function checkApiKey(options: unknown, what = 'The client cannot be made'): string {
  if (!isRecord(options))
    throw new ValidationError(what, [{ path: ['options'], code: 'wrongType', expected: 'object' }]);
  const { apiKey } = options;
  const problem = apiKeyProblem(apiKey);
  if (problem === undefined && typeof apiKey === 'string') return apiKey;
  throw new ValidationError(what, [{ path: ['apiKey'], ...(problem ?? { code: 'noApiKey' }) }]);
}

/** The service of the environment. @throws ValidationError that names each missing or faulty variable. */
export function credentialsFromEnv(): {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly allowInsecure?: true;
} {
  const env: Readonly<Record<string, string | undefined>> = typeof process === 'undefined' ? {} : process.env;
  const { AUDIENCE_BASE_URL = '', AUDIENCE_API_KEY = '', AUDIENCE_ALLOW_INSECURE = '' } = env;
  const problems = Object.entries({ AUDIENCE_BASE_URL, AUDIENCE_API_KEY })
    .filter(([, value]) => value === '')
    .map(([name]): Problem => ({ path: [name], code: 'notSet' }));
  if (!['', 'true', 'false'].includes(AUDIENCE_ALLOW_INSECURE))
    problems.push({ path: ['AUDIENCE_ALLOW_INSECURE'], code: 'wrongType', expected: 'boolean' });
  if (problems.length > 0)
    throw new ValidationError('The client cannot be made from the environment', problems);
  const isAllowed = AUDIENCE_ALLOW_INSECURE === 'true';
  return { baseUrl: AUDIENCE_BASE_URL, apiKey: AUDIENCE_API_KEY, ...(isAllowed && { allowInsecure: true }) };
}
