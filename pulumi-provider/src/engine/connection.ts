import { setTimeout as sleep } from 'node:timers/promises';
import { AudienceClient, ValidationError } from 'audience-core';
import { normalizeBaseUrl } from 'audience-core/internal';
import * as z from 'zod/mini';
import { problem } from '../messages/index.js';
import { ResourceError } from '../resources/errors.js';
import { Run, type Host } from '../resources/run.js';

/** Settings in the stack's configuration, and arguments of an explicit provider. */
export const settingsSchema = z.object({
  baseUrl: z.optional(z.string()),
  apiKey: z.optional(z.string()),
  allowInsecure: z.optional(z.boolean()),
  movedFrom: z.optional(z.string()),
});
type Setting = keyof typeof settingsSchema.shape;

export const SECRET_SETTINGS: readonly string[] = ['apiKey'] satisfies Setting[];

/** Environment variables that are read where a setting is missing. */
export const ENVIRONMENT = { baseUrl: 'AUDIENCE_BASE_URL', apiKey: 'AUDIENCE_API_KEY' } as const;

/** Gives a setting as text; `undefined` where it is not set. */
export type ReadSetting = (name: Setting) => string | undefined;

/** Half a minute of attempts: no call of hundreds may fail where one attempt in four does. */
const MAX_RETRIES = 8;

/** A run against the configured service. @throws ResourceError when the settings cannot work. */
export function openRun(read: ReadSetting, host: Pick<Host, 'reporter' | 'cancelled'>): Run {
  const movedFrom = earlierAddress(read('movedFrom'));
  return new Run(createClient(read), { ...host, movedFrom, sleep: (milliseconds) => sleep(milliseconds) });
}

/**
 * A client by the settings, or else by the environment.
 *
 * @throws ResourceError when base URL or API key are missing or cannot be used.
 */
export function createClient(read: ReadSetting): AudienceClient {
  const required = (name: keyof typeof ENVIRONMENT): string => {
    const text = (read(name) ?? process.env[ENVIRONMENT[name]])?.trim() ?? '';
    if (text === '') throw new ResourceError(problem('setting.missing', { name, ways: waysToSet(name) }));
    return text;
  };
  const [baseUrl, apiKey] = [required('baseUrl'), required('apiKey')];
  try {
    return new AudienceClient({
      baseUrl,
      apiKey,
      allowInsecure: read('allowInsecure') === 'true',
      maxRetries: MAX_RETRIES,
      userAgent: 'pulumi-audience',
    });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw wrongSetting(error, String(error.issues[0]?.path[0]));
  }
}

/** An earlier address as the client would write it. @throws ResourceError where it is no address. */
function earlierAddress(movedFrom: string | undefined): string | undefined {
  if (movedFrom === undefined) return undefined;
  try {
    return normalizeBaseUrl(movedFrom, true);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw wrongSetting(error, 'movedFrom');
  }
}

function wrongSetting({ message }: ValidationError, name: string): ResourceError {
  return new ResourceError(problem('setting.wrong', { message, ways: waysToSet(name) }));
}

function waysToSet(name: string): string {
  const flag = SECRET_SETTINGS.includes(name) ? '--secret ' : '';
  const variable =
    name === 'baseUrl' || name === 'apiKey' ? `, or the environment variable ${ENVIRONMENT[name]}` : '';
  return `'pulumi config set ${flag}audience:${name}', the provider's argument '${name}'${variable}`;
}
