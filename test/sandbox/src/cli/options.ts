import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { SandboxError } from '../sandbox-error.js';
import { rateLimitSchema } from '../faults/rate-limit.js';
import { optionsSchema, portSchema } from '../sandbox-options.js';
import { reasonOf } from '../reason.js';

const number = z.pipe(
  z.string(),
  z.transform((text) => (text.trim() === '' ? Number.NaN : Number(text))),
);
const port = z.pipe(number, portSchema);
const rate = z.pipe(number, rateLimitSchema.shape.requestsPerSecond);

/** What the command line asks for. */
export type CliOptions = ReturnType<typeof readOptions>;

/** Port of the sandbox unless given. */
const DEFAULT_PORT = 4010;

export const HELP = `Usage: audience-sandbox [options]
       audience-sandbox pull --from URL --out FILE

Runs the Audience service on this machine, with an inbox of all that it sent.
'pull' reads a live account (designs, groups, properties; no contacts)
with the key in AUDIENCE_API_KEY, and writes it as a seed: JSON into a
FILE.json, else YAML. It never writes over a file.

  --port PORT           port to listen on (${DEFAULT_PORT}; 0 picks a free one)
  --api-key KEY         key that callers must send
  --seed FILE           what the account holds at the start, JSON or YAML
  --data FILE           keep everything in an SQLite file (Node 22.13 or newer)
  --rate-limit NUMBER   requests per second before it returns 429
  --profile FILE        what the interface leaves open, JSON or YAML, such as
                        'preset: awkward'
  --host ADDRESS        address to listen on (127.0.0.1)
  --allow-host NAME     accept this host name too; may be repeated
  --control-key KEY     key for control plane and inbox, which are open to this
                        machine only without one
  --prefix PATH         path under which everything lies, such as /audience
  --version             print the version
  --help                print this text
`;

/** Reads the command line. @throws SandboxError that names the option which is wrong. */
export function readOptions(argv: readonly string[]) {
  const { values, positionals } = parse(argv);
  const requestsPerSecond = read(rate, 'rate-limit', values['rate-limit']);
  return {
    help: values.help ?? false,
    version: values.version ?? false,
    seedFile: text('seed', values.seed),
    profileFile: text('profile', values.profile),
    pull: readPull(positionals, values),
    sandbox: {
      port: read(port, 'port', values.port) ?? DEFAULT_PORT,
      host: text('host', values.host),
      apiKey: read(optionsSchema.shape.apiKey, 'api-key', text('api-key', values['api-key'])),
      controlKey: text('control-key', values['control-key']),
      prefix: text('prefix', values.prefix),
      dataFile: text('data', values.data),
      allowedHosts: values['allow-host'] ?? [],
      rateLimit: requestsPerSecond === undefined ? undefined : { requestsPerSecond },
    },
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
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
    throw new SandboxError({
      code: 'command_line',
      reason: reasonOf(error).replace(/\.?(\s*\n|\. To specify )[^]*|\.?$/, '.'),
    });
  }
}

function readPull(
  [command, ...more]: readonly string[],
  { from, out }: { readonly from?: string | undefined; readonly out?: string | undefined },
) {
  if (command === undefined) {
    if (from === undefined && out === undefined) return undefined;
    throw new SandboxError({ code: 'pull_option_without_pull' });
  }
  if (command !== 'pull' || more.length > 0)
    throw new SandboxError({ code: 'unknown_command', command: [command, ...more].join(' ') });
  if (from === undefined || from === '') throw new SandboxError({ code: 'pull_without_from' });
  if (out === undefined || out === '') throw new SandboxError({ code: 'pull_without_out' });
  return { from, out };
}

function read<T>(schema: z.ZodMiniType<T>, name: string, value: string | undefined): T | undefined {
  if (value === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const rule = result.error.issues[0]?.message;
  throw new SandboxError({ code: 'option_wrong', name, value, rule });
}

function text(name: string, value: string | undefined): string | undefined {
  if (value === '') throw new SandboxError({ code: 'option_without_value', name });
  return value;
}
