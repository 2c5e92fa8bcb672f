#!/usr/bin/env node
import { AudienceClient } from '../client/audience-client.js';
import type { TransactionalEmail } from '../contract/types.js';
import { AudienceError } from '../errors.js';
import { schemaSource } from './schema-source.js';

const USAGE = `audience-schema > audience-schema.ts

Prints the account's custom properties and transactional emails as a TypeScript module. It has no arguments.
The account is read from the environment: AUDIENCE_BASE_URL and AUDIENCE_API_KEY.
`;

/** `audience-schema`: prints the account's custom properties and designs as a TypeScript module. */
async function main(): Promise<void> {
  if (process.argv.length > 2) {
    const isAsked = ['--help', '-h'].includes(process.argv[2] ?? '');
    (isAsked ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = isAsked ? 0 : 2;
    return;
  }
  const audience = AudienceClient.fromEnv();
  const designs: TransactionalEmail[] = [];
  for await (const design of audience.transactional.iterate()) designs.push(design);
  process.stdout.write(schemaSource(await audience.contactSchema(), designs));
}

main().catch((error: unknown) => {
  const message = error instanceof AudienceError ? error.message : String(error);
  process.stderr.write(
    `${message}\nThe account is read from the environment: AUDIENCE_BASE_URL and AUDIENCE_API_KEY.\n`,
  );
  process.exitCode = 1;
});
