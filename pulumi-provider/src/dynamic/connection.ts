import { AudienceClient, ValidationError } from 'audience-core';
import { ResourceError } from '../resources/host.js';

/** What is read of Pulumi's configuration. */
export interface ConfigReader {
  get(key: string): string | undefined;
}

/** Settings that hold a secret. */
const SECRET: readonly string[] = ['audience:apiKey'];

/**
 * A client for the service that configuration or environment name; configuration wins.
 *
 * @throws ResourceError when base URL or API key are missing or cannot be used.
 */
export function createClient(config: (key: string) => string | undefined): AudienceClient {
  const baseUrl = setting(config('audience:baseUrl'), 'AUDIENCE_BASE_URL');
  const apiKey = setting(config('audience:apiKey'), 'AUDIENCE_API_KEY');
  if (baseUrl === undefined) {
    throw new ResourceError(
      "The address of the Audience service is missing. Set it with 'pulumi config set audience:baseUrl https://...', or in the environment variable AUDIENCE_BASE_URL.",
    );
  }
  if (apiKey === undefined) {
    throw new ResourceError(
      "The API key of the Audience service is missing. Set it with 'pulumi config set --secret audience:apiKey', or in the environment variable AUDIENCE_API_KEY.",
    );
  }
  try {
    return new AudienceClient({
      baseUrl,
      apiKey,
      allowInsecure: config('audience:allowInsecure') === 'true',
      requestsPerSecond: numberSetting(config('audience:requestsPerSecond')),
      concurrency: numberSetting(config('audience:concurrency')),
      userAgent: 'pulumi-audience',
    });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const settings = new Set(error.issues.map(({ path }) => `audience:${String(path[0])}`));
    const commands = [...settings].map(
      (name) => `'pulumi config set ${SECRET.includes(name) ? '--secret ' : ''}${name}'`,
    );
    throw new ResourceError(
      `${error.message} Set it right with ${commands.join(' and ')}, or in the environment.`,
    );
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
