#!/usr/bin/env node
import { AudienceClient } from '../client/audience-client.js';
import { contactSchemaSource } from '../client/contact-schema.js';
import { AudienceError } from '../errors.js';

const USAGE = `audience-schema > contact-schema.ts

Prints the account's contact schema as a TypeScript module. It takes no arguments.
The account is read from the environment: AUDIENCE_BASE_URL and AUDIENCE_API_KEY.
`;

/** `audience-schema`: prints the account's contact schema as a TypeScript module. */
async function main(): Promise<void> {
  if (process.argv.length > 2) {
    const isAsked = ['--help', '-h'].includes(process.argv[2] ?? '');
    (isAsked ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = isAsked ? 0 : 2;
    return;
  }
  process.stdout.write(contactSchemaSource(await AudienceClient.fromEnv().contactSchema()));
}

main().catch((error: unknown) => {
  const message = error instanceof AudienceError ? error.message : String(error);
  process.stderr.write(
    `${message}\nThe account is read from the environment: AUDIENCE_BASE_URL and AUDIENCE_API_KEY.\n`,
  );
  process.exitCode = 1;
});
