#!/usr/bin/env node
import { AudienceClient } from '../client/audience-client.js';
import type { TransactionalEmail } from '../types.js';
import { checkReplaceable, reasonOf, writeWhole } from './output-file.js';
import { schemaSource } from './schema-source.js';

const USAGE = `Usage: audience-core schema [--out FILE]

Prints the account's custom properties and transactional emails as a TypeScript module, or writes it to FILE. A FILE
that is already there is replaced only if this command wrote it, and only once the new one is complete.
The account is read from the environment: AUDIENCE_BASE_URL and AUDIENCE_API_KEY.
`;

/** `audience-core`: prints or writes the typed schema of an account. */
async function main([command, option, file, ...others]: readonly string[]): Promise<void> {
  const isPrint = command === 'schema' && option === undefined;
  const isWrite = command === 'schema' && option === '--out' && file !== undefined && others.length === 0;
  if (isPrint) {
    process.stdout.write(await accountSource());
  } else if (isWrite) {
    await checkReplaceable(file);
    await writeWhole(file, await accountSource());
  } else {
    const isHelp = [command, option].includes('--help');
    const stream = isHelp ? process.stdout : process.stderr;
    stream.write(USAGE);
    process.exitCode = isHelp ? 0 : 2;
  }
}

async function accountSource(): Promise<string> {
  const audience = AudienceClient.fromEnv();
  try {
    const designs: TransactionalEmail[] = [];
    for await (const design of audience.transactional.iterate()) designs.push(design);
    return schemaSource(await audience.properties.list({ list: 'custom' }), designs);
  } finally {
    audience.close();
  }
}

function fail(error: unknown): void {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
}

process.stdout.on('error', fail);
main(process.argv.slice(2)).catch(fail);
