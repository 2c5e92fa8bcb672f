#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { AudienceClient } from '../client/audience-client.js';
import type { TransactionalEmail } from '../contract/types.js';
import { checkReplaceable, reasonOf, writeWhole } from './output-file.js';
import { schemaSource } from './schema-source.js';

const USAGE = `Usage: audience-core schema [--out FILE]

Prints the account's custom properties and transactional emails as a TypeScript module, or writes it to FILE. A FILE
that is already there is replaced only if this command wrote it, and only once the new one is complete.
The account is read from the environment: AUDIENCE_BASE_URL and AUDIENCE_API_KEY.
`;

/** `audience-core`: prints or writes the typed schema of an account. */
async function main(args: readonly string[]): Promise<void> {
  const given = readArguments(args);
  if (given === undefined || given.isHelp) {
    const stream = given === undefined ? process.stderr : process.stdout;
    stream.write(USAGE);
    process.exitCode = given === undefined ? 2 : 0;
  } else if (given.out === undefined) {
    process.stdout.write(await accountSource());
  } else {
    await checkReplaceable(given.out);
    await writeWhole(given.out, await accountSource());
  }
}

/** What the command line asks for; `undefined` where it cannot be understood. */
function readArguments(args: readonly string[]): { isHelp: boolean; out: string | undefined } | undefined {
  const options = { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const isHelp = values.help === true;
    const isUnderstood = positionals.join(' ') === 'schema' && values.out !== '';
    return isHelp || isUnderstood ? { isHelp, out: values.out } : undefined;
  } catch {
    return undefined;
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
