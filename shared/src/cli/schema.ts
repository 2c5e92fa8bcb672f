#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { AudienceClient } from '../client/audience-client.js';
import { readSchema, type EventSchema } from '../client/schema.js';
import { parseJsonText } from '../contract/json.js';
import type { TransactionalEmail } from '../contract/types.js';
import { ValidationError } from '../errors.js';
import { schemaSource } from './schema-source.js';

const USAGE = `audience-schema [--events FILE] > audience-schema.ts
audience-schema [--events FILE] --check audience-schema.ts

Prints the account's custom properties and transactional emails as a TypeScript module.
--events FILE adds your events: a JSON file such as { "orderPlaced": { "total": "number", "lines": "json" } }
--check FILE  prints nothing, and exits with 1 if the file differs from what would be printed
The account is read from the environment: AUDIENCE_BASE_URL and AUDIENCE_API_KEY.
`;

/** `audience-schema`: prints the account's custom properties, designs and events as a TypeScript module. */
async function main(): Promise<void> {
  const { help, events, check } = argumentsGiven();
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  const eventSchema = events === undefined ? undefined : await eventsIn(events);
  const audience = AudienceClient.fromEnv();
  const designs: TransactionalEmail[] = [];
  for await (const design of audience.transactional.iterate()) designs.push(design);
  const source = schemaSource(await audience.properties.list({ list: 'custom' }), designs, eventSchema);
  if (check === undefined) process.stdout.write(source);
  else if ((await readFile(check, 'utf8')).replaceAll('\r\n', '\n') !== source) {
    const flags = events === undefined ? '' : ` --events ${events}`;
    throw new Error(`${check} is stale. To write it again: audience-schema${flags} > ${check}`);
  }
}

function argumentsGiven() {
  const flag = { type: 'string' } as const;
  const help = { type: 'boolean', short: 'h' } as const;
  try {
    return parseArgs({ options: { help, events: flag, check: flag } }).values;
  } catch {
    process.stderr.write(USAGE);
    return process.exit(2);
  }
}

async function eventsIn(file: string): Promise<EventSchema | undefined> {
  const { value, lost } = parseJsonText(await readFile(file, 'utf8'));
  if (lost !== undefined) throw new ValidationError(`${file} cannot be used`, [{ path: [], ...lost }]);
  // Text that is not JSON is no list of events.
  return readSchema({ events: value ?? null }).events;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
