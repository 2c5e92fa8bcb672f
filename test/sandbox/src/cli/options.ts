import { parseArgs } from 'node:util';
import * as z from 'zod';
import { rateLimitSchema } from '../faults/rate-limit.js';
import { PRESET_NAMES } from '../profile.js';
import type { Profile } from '../profile.js';
import { optionsSchema } from '../start.js';
import { PROFILE_OPTIONS, readProfileFlags } from './profile-options.js';
import { UsageError } from './usage-error.js';
import { reasonOf } from '../reason.js';

const number = z.string().transform((text) => (text.trim() === '' ? Number.NaN : Number(text)));
const port = number.pipe(optionsSchema.shape.port.unwrap());
const rate = number.pipe(rateLimitSchema.shape.requestsPerSecond);

/** What the command line asks for. */
export interface CliOptions {
  readonly help: boolean;
  readonly version: boolean;
  readonly port: number;
  readonly host: string | undefined;
  readonly apiKey: string | undefined;
  readonly controlKey: string | undefined;
  readonly prefix: string | undefined;
  readonly dataFile: string | undefined;
  readonly seedFile: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly requestsPerSecond: number | undefined;
  /** Name of a kind of service, or a file. */
  readonly profile: string | undefined;
  /** Single options of the profile, which win over it. */
  readonly profileOptions: Partial<Profile>;
  /** What to read, and where to write it, for the command `pull`. */
  readonly pull: { readonly from: string; readonly out: string } | undefined;
}

/** Port that the sandbox takes unless told otherwise. */
const DEFAULT_PORT = 4010;

/** The help text. */
export const HELP = `Usage: audience-sandbox [options]
       audience-sandbox pull --from URL --out FILE

Runs the Audience service on this machine, with an inbox of all that it sent.
'pull' reads a live account (designs, groups, properties; nothing of people)
with the key in AUDIENCE_API_KEY, and writes it as a seed: JSON into a
FILE.json, else YAML. It never writes over a file.

  --port PORT           port to listen on (${DEFAULT_PORT}; 0 takes a free one)
  --api-key KEY         key that callers must send
  --seed FILE           what the account holds at the start, JSON or YAML
  --data FILE           keep everything in an SQLite file (in memory otherwise)
  --rate-limit NUMBER   requests per second before it answers 429
  --profile NAME        kind of service: ${PRESET_NAMES.join(', ')},
                        or a file with options, JSON or YAML
  --host ADDRESS        address to listen on (127.0.0.1)
  --allow-host NAME     answer to this name too; may be repeated
  --control-key KEY     key for control plane and inbox, which are open to this
                        machine only without one
  --prefix PATH         path under which everything lies, such as /audience
  --version             print the version
  --help                print this text

Single options of the profile, which win over --profile:

${PROFILE_OPTIONS.map(({ flag, values }) => `  ${`--${flag}`.padEnd(21)} ${values.join(', ')}`).join('\n')}
`;

/** Reads the command line. @throws UsageError that names the option which is wrong. */
export function readOptions(argv: readonly string[]): CliOptions {
  const { values, positionals } = parse(argv);
  return {
    help: values.help ?? false,
    version: values.version ?? false,
    port: read(port, 'port', values.port) ?? DEFAULT_PORT,
    host: text('host', values.host),
    apiKey: read(optionsSchema.shape.apiKey, 'api-key', text('api-key', values['api-key'])),
    controlKey: text('control-key', values['control-key']),
    prefix: text('prefix', values.prefix),
    dataFile: text('data', values.data),
    seedFile: text('seed', values.seed),
    allowedHosts: values['allow-host'] ?? [],
    requestsPerSecond: read(rate, 'rate-limit', values['rate-limit']),
    profile: text('profile', values.profile),
    profileOptions: readProfileFlags(values),
    pull: readPull(positionals, values),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(PROFILE_OPTIONS.map(({ flag }) => [flag, { type: 'string' } as const])),
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        port: { type: 'string', short: 'p' },
        host: { type: 'string' },
        'api-key': { type: 'string' },
        'control-key': { type: 'string' },
        prefix: { type: 'string' },
        data: { type: 'string' },
        seed: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        'rate-limit': { type: 'string' },
        profile: { type: 'string' },
        from: { type: 'string' },
        out: { type: 'string' },
      },
    });
  } catch (error) {
    // What Node says after the first sentence is of no use here.
    throw new UsageError(reasonOf(error).replace(/\.?(\s*\n|\. To specify )[^]*|\.?$/, '.'));
  }
}

function readPull(
  [command, ...more]: readonly string[],
  { from, out }: { readonly from?: string | undefined; readonly out?: string | undefined },
): CliOptions['pull'] {
  if (command === undefined) {
    if (from === undefined && out === undefined) return undefined;
    throw new UsageError('--from and --out go with the command pull.');
  }
  if (command !== 'pull' || more.length > 0)
    throw new UsageError(`There is no command '${[command, ...more].join(' ')}'.`);
  if (from === undefined || from === '') throw new UsageError('pull needs --from, the URL of the service.');
  if (out === undefined || out === '') throw new UsageError('pull needs --out, the file to write.');
  return { from, out };
}

function read<T>(schema: z.ZodType<T>, name: string, value: string | undefined): T | undefined {
  if (value === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(
    `--${name} cannot be '${value}', only ${(issue?.message ?? '').replace('must be ', '')}.`,
  );
}

function text(name: string, value: string | undefined): string | undefined {
  if (value === '') throw new UsageError(`--${name} needs a value.`);
  return value;
}
