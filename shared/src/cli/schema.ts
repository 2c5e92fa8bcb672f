#!/usr/bin/env node
import { AudienceClient } from '../client/audience-client.js';
import type { TransactionalEmail } from '../contract/types.js';
import { schemaSource } from './schema-source.js';

const USAGE = `audience-schema > audience-schema.ts

Prints the account's custom properties and transactional emails as a TypeScript module.
The account is read from the environment: AUDIENCE_BASE_URL and AUDIENCE_API_KEY.
`;

/** `audience-schema`: prints the account's custom properties and designs as a TypeScript module. */
async function main(): Promise<void> {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) {
    const isHelp = argument === '--help';
    (isHelp ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const audience = AudienceClient.fromEnv();
  const designs: TransactionalEmail[] = [];
  for await (const design of audience.transactional.iterate()) designs.push(design);
  process.stdout.write(schemaSource(await audience.properties.list({ list: 'custom' }), designs));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
