import { AudienceClient, ValidationError } from 'audience-core';
import { ResourceError } from '../resources/errors.js';

/** Settings of the stack's configuration, under `audience:`, and arguments of a provider of the program. */
export const SETTINGS = ['baseUrl', 'apiKey', 'requestsPerSecond', 'concurrency', 'allowInsecure'] as const;

/** Those that hold a secret. */
export const SECRET_SETTINGS: readonly string[] = ['apiKey'] satisfies (typeof SETTINGS)[number][];

/** Environment variables that stand in for settings. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  baseUrl: 'AUDIENCE_BASE_URL',
  apiKey: 'AUDIENCE_API_KEY',
};

/** Gives a setting as text; `undefined` where it is not set. */
export type ReadSetting = (name: (typeof SETTINGS)[number]) => string | undefined;

/** Where settings can be written: the stack's configuration, a provider's arguments, or the environment. */
export type SettingsPlace = 'configuration' | 'arguments' | 'environment';

/**
 * Further attempts of a call, half a minute of them at most: of the hundreds of calls of a run none is to fail because
 * one in four does.
 */
const MAX_RETRIES = 8;

/** How a person sets some of them, beside the environment: `with 'pulumi config set audience:baseUrl https://...', or `. */
function waysToSet(names: Iterable<string>, place: SettingsPlace, value = ''): string {
  if (place === 'environment') return '';
  const ways = [...names].map((name) =>
    place === 'arguments'
      ? `the provider's argument '${name}'`
      : `'pulumi config set ${SECRET_SETTINGS.includes(name) ? '--secret ' : ''}audience:${name}${value}'`,
  );
  return `with ${ways.join(' and ')}, or `;
}

/**
 * A client for the service that configuration or environment name; configuration wins.
 *
 * @param place where the person has written them, for what they are told.
 * @throws ResourceError when base URL or API key are missing or cannot be used.
 */
export function createClient(read: ReadSetting, place: SettingsPlace = 'configuration'): AudienceClient {
  const baseUrl = setting(read('baseUrl'), 'AUDIENCE_BASE_URL');
  const apiKey = setting(read('apiKey'), 'AUDIENCE_API_KEY');
  if (baseUrl === undefined) {
    throw new ResourceError(
      `The address of the Audience service is missing. Set it ${waysToSet(['baseUrl'], place, ' https://...')}in the environment variable AUDIENCE_BASE_URL.`,
    );
  }
  if (apiKey === undefined) {
    throw new ResourceError(
      `The API key of the Audience service is missing. Set it ${waysToSet(['apiKey'], place)}in the environment variable AUDIENCE_API_KEY.`,
    );
  }
  try {
    return new AudienceClient({
      baseUrl,
      apiKey,
      allowInsecure: read('allowInsecure') === 'true',
      requestsPerSecond: numberSetting(read('requestsPerSecond')),
      concurrency: numberSetting(read('concurrency')),
      maxRetries: MAX_RETRIES,
      userAgent: 'pulumi-audience',
    });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const settings = new Set(error.issues.map(({ path }) => String(path[0])));
    throw new ResourceError(`${error.message} Set it right ${waysToSet(settings, place)}in the environment.`);
  }
}

function setting(configured: string | undefined, variable: string): string | undefined {
  const value = configured ?? process.env[variable];
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

/** What is no number is passed on as such, so that the client refuses it with its name. */
function numberSetting(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
