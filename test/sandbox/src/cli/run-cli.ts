import { readFile } from 'node:fs/promises';
import v8 from 'node:v8';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod/mini';
import type { Schema } from 'audience-core/internal';
import { sentenceOf } from '../messages.js';
import { newProfileSchema } from '../profile.js';
import { readAs } from '../read-as.js';
import { SandboxError } from '../sandbox-error.js';
import { SeedError } from '../seed/apply-seed.js';
import { seedSchema } from '../seed/schema.js';
import { startSandbox, type RunningSandbox } from '../start.js';
import { HELP, readOptions, type CliOptions } from './options.js';
import { reasonOf } from '../reason.js';
import { quoted } from '../shell.js';

/** Runs the command. @returns the exit code, or `undefined` while the sandbox keeps running until a signal ends it */
export async function runCli(argv: readonly string[]): Promise<number | undefined> {
  let options: CliOptions;
  try {
    options = readOptions(argv);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    process.stderr.write(`${error.message} See audience-sandbox --help.\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (options.version) {
    process.stdout.write(`${await packageVersion()}\n`);
    return 0;
  }
  try {
    if (options.pull !== undefined) {
      // Loaded only here, as it includes a whole client.
      const { pull } = await import('./pull.js');
      process.stdout.write(await pull(options.pull.from, options.pull.out));
      return 0;
    }
    const { seedFile, profileFile } = options;
    const sandbox = await startSandbox({
      ...options.sandbox,
      seed: seedFile === undefined ? undefined : await readFileAs(seedSchema, 'seed', seedFile),
      profile:
        profileFile === undefined ? undefined : await readFileAs(newProfileSchema, 'profile', profileFile),
      warn: (message) => void process.stderr.write(`${message}\n`),
    });
    // New objects get no more room than at the start: 100,000 mails need 260 MB instead of 390, in the same time.
    v8.setFlagsFromString('--semi-space-growth-factor=1');
    process.stdout.write(greeting(sandbox, options.sandbox));
    closeOnSignal(sandbox);
    return undefined;
  } catch (error) {
    process.stderr.write(`${reasonFor(error, options)}\n`);
    return 1;
  }
}

function greeting(sandbox: RunningSandbox, { dataFile, host }: CliOptions['sandbox']): string {
  const kept =
    dataFile === undefined
      ? 'Data is kept in memory and lost when the sandbox stops.'
      : `Kept in ${dataFile}.`;
  return `Audience sandbox is running. ${kept}

  Inbox:  ${sandbox.url}/

Paste this where your program runs:

  export AUDIENCE_BASE_URL=${sandbox.url}
  export AUDIENCE_API_KEY=${quoted(sandbox.apiKey)}

${host === undefined ? '' : `${sentenceOf({ code: 'network_switches', name: 'NAME' })}\n\n`}Ctrl-C ends it.
`;
}

function closeOnSignal(sandbox: RunningSandbox): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void sandbox.close();
    });
  }
}

/** Reads a file as JSON or YAML. @throws SandboxError that names the file, and what is wrong in it. */
async function readFileAs<Data>(schema: Schema<Data>, what: 'seed' | 'profile', file: string): Promise<Data> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const missing = codeSchema.safeParse(error).data?.code === 'ENOENT';
    if (!missing) throw new SandboxError({ code: 'file_unreadable', what, file, reason: reasonOf(error) });
    throw new SandboxError({ code: what === 'seed' ? 'no_seed_file' : 'no_profile_file', file });
  }
  try {
    // JSON is YAML too, so one parser reads both.
    return readAs(schema, parseYaml(text, { maxAliasCount: 100 }), `a ${what}`);
  } catch (error) {
    throw unusable(what, file, error);
  }
}

function unusable(what: 'seed' | 'profile', file: string, error: unknown): SandboxError {
  return new SandboxError({ code: 'file_unusable', what, file, reason: reasonOf(error) });
}

const codeSchema = z.object({ code: z.string() });

function reasonFor(error: unknown, options: CliOptions): string {
  if (error instanceof SeedError && options.seedFile !== undefined)
    return unusable('seed', options.seedFile, error).message;
  if (error instanceof SandboxError) return error.message;
  const what = options.pull === undefined ? 'The sandbox could not start' : 'The account could not be pulled';
  return `${what}: ${reasonOf(error)}`;
}

async function packageVersion(): Promise<string> {
  const file = await readFile(require.resolve('../../package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}
