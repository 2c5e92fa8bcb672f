import { parseArgs } from 'node:util';
import * as z from 'zod';
import { duplicatesSchema } from '../profile.js';
import type { Profile } from '../profile.js';

/** A command line that cannot be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const port = z.coerce.number().int().min(0).max(65_535);
const rate = z.coerce.number().positive();

/** What the command line asks for. */
export interface CliOptions {
  readonly help: boolean;
  readonly version: boolean;
  readonly port: number;
  readonly host: string | undefined;
  readonly apiKey: string | undefined;
  readonly dataFile: string | undefined;
  readonly seedFile: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly requestsPerSecond: number | undefined;
  readonly duplicates: Profile['duplicates'] | undefined;
}

/** Port that the sandbox takes unless told otherwise. */
export const DEFAULT_PORT = 4010;

/** The help text. */
export const HELP = `Usage: audience-sandbox [options]

Runs the Audience service on this machine, with an inbox of all that it sent.

  --port PORT           port to listen on (${DEFAULT_PORT}; 0 takes a free one)
  --api-key KEY         key that callers must send
  --seed FILE           what the account holds at the start, JSON or YAML
  --data FILE           keep everything in an SQLite file (in memory otherwise)
  --rate-limit NUMBER   requests per second before it answers 429
  --duplicates KIND     what a used idempotency key gets: replay of the stored
                        response, or refuse with 409 (replay)
  --host ADDRESS        address to listen on (127.0.0.1)
  --allow-host NAME     answer to this name too; may be repeated
  --version             print the version
  --help                print this text
`;

/** Reads the command line. @throws UsageError that names the option which is wrong. */
export function readOptions(argv: readonly string[]): CliOptions {
  const { values } = parse(argv);
  return {
    help: values.help ?? false,
    version: values.version ?? false,
    port: read(port, 'port', values.port) ?? DEFAULT_PORT,
    host: values.host,
    apiKey: text('api-key', values['api-key']),
    dataFile: text('data', values.data),
    seedFile: text('seed', values.seed),
    allowedHosts: values['allow-host'] ?? [],
    requestsPerSecond: read(rate, 'rate-limit', values['rate-limit']),
    duplicates: read(duplicatesSchema, 'duplicates', values.duplicates),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        port: { type: 'string', short: 'p' },
        host: { type: 'string' },
        'api-key': { type: 'string' },
        data: { type: 'string' },
        seed: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        'rate-limit': { type: 'string' },
        duplicates: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function read<T>(schema: z.ZodType<T>, name: string, value: string | undefined): T | undefined {
  if (value === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success && value.trim() !== '') return result.data;
  throw new UsageError(`--${name} cannot be '${value}'.`);
}

function text(name: string, value: string | undefined): string | undefined {
  if (value === '') throw new UsageError(`--${name} needs a value.`);
  return value;
}
