import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AudienceClient, AudienceError } from 'audience-core';
import { fill } from 'audience-core/internal';
import { stringify } from 'yaml';
import { SandboxError } from '../sandbox-error.js';
import { pullAccount } from '../pull/pull-account.js';
import type { Seed } from '../seed/schema.js';

/** Writes a live account down as a seed. @returns what it did, in a sentence @throws SandboxError */
export async function pull(from: string, file: string): Promise<string> {
  const apiKey = process.env['AUDIENCE_API_KEY'] ?? '';
  if (apiKey === '') throw new SandboxError({ code: 'pull_without_api_key' });
  const seed = await read(from, apiKey);
  await writeNew(
    file,
    file.endsWith('.json')
      ? `${JSON.stringify(seed, undefined, 2)}\n`
      : `# The account at ${from}, without its contacts.\n${stringify(seed)}`,
  );
  const { designs = [], subscriptionGroups = [], properties = [] } = seed;
  return fill(
    'Wrote {designs:design}, {groups:subscription group}, {properties} custom {properties?property/properties} to {file}. Start with: audience-sandbox --seed {file}\n',
    { designs: designs.length, groups: subscriptionGroups.length, properties: properties.length, file },
  );
}

async function read(from: string, apiKey: string): Promise<Seed> {
  try {
    // The user waits for it, and can repeat it.
    const allowInsecure = process.env['AUDIENCE_ALLOW_INSECURE'] === 'true';
    const audience = new AudienceClient({ baseUrl: from, apiKey, allowInsecure, maxRetries: 2 });
    try {
      return await pullAccount(audience);
    } finally {
      audience.close();
    }
  } catch (error) {
    throw error instanceof AudienceError
      ? new SandboxError({ code: 'pull_failed', reason: error.message })
      : error;
  }
}

/** Never replaces a file: somebody may have worked on it. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new SandboxError({ code: 'pull_file_exists', file });
    if (code === 'ENOENT') throw new SandboxError({ code: 'pull_without_folder', folder: dirname(file) });
    throw error;
  }
}
