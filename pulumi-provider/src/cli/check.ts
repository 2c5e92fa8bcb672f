import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isRecord, parseJsonText } from 'audience-core/internal';
import { textOf, type Problem } from '../messages/index.js';
import { isForPeople } from '../engine/calls.js';
import { createClient } from '../engine/connection.js';
import { inputProblem, readInputs, type Inputs } from '../resources/contacts/inputs.js';
import { declare } from '../resources/contacts/list.js';
import { ResourceError } from '../resources/errors.js';
import { KnownService, type KnownNames } from '../resources/known-service.js';

const USAGE = `Usage: pulumi-audience check FILE [--options JSON]

Says what 'pulumi up' would refuse of a file with these inputs of Contacts, and prints the inputs that are missing.
Nothing is written to the service. FILE may be /dev/stdin.

With AUDIENCE_BASE_URL and AUDIENCE_API_KEY in the environment, properties and groups are compared with the service's.

  --options JSON  inputs of Contacts, or a file with them. Where an event creates contacts, consent is needed:
                  --options '{ "createWithEvent": { "eventName": "joined" } }'
`;

/** Runs `pulumi-audience`. Resolves to the exit status; throws ResourceError for a wrong file or wrong options. */
export async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      options: { type: 'string', default: '{}' },
      help: { type: 'boolean', default: false },
    },
  });
  const [command, file, ...others] = positionals;
  if (values.help || command !== 'check' || file === undefined || others.length > 0) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 2;
  }
  await check(file, await readOptions(file, values.options));
  return 0;
}

/** The message of an error, and the exit status: 2 for a wrong command line. */
export function endOf(error: unknown): { readonly text: string; readonly status: number } {
  if (error instanceof TypeError && 'code' in error) return { text: error.message, status: 2 };
  if (isForPeople(error)) return { text: error.message, status: 1 };
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return { text: `The file could not be checked: ${reason}.`, status: 1 };
}

async function readOptions(file: string, given: string): Promise<Inputs> {
  const isText = given.trimStart().startsWith('{');
  const text = isText ? given : await readFile(given, 'utf8').catch(() => '');
  const value = parseJsonText(text);
  if (!isRecord(value)) throw new ResourceError(`--options: '${given}' is neither JSON nor a file with it.`);
  const inputs = { ...value, file };
  const wrong = inputProblem(inputs);
  if (wrong !== undefined) throw new ResourceError(`--options: ${textOf(wrong)}`);
  return readInputs(inputs);
}

async function check(file: string, inputs: Inputs): Promise<void> {
  const { env, stderr } = process;
  const hasService = env['AUDIENCE_BASE_URL'] !== undefined || env['AUDIENCE_API_KEY'] !== undefined;
  const client = hasService ? createClient(() => undefined) : undefined;
  const tell = (one: Problem): void => void stderr.write(`${textOf(one)}\n`);
  const fail = (one: Problem): never => {
    throw new ResourceError(one);
  };
  let known: KnownNames = { types: new Map(), isComplete: false };
  try {
    if (client !== undefined) known = await new KnownService(client, { info: tell, warn: fail }).names();
    const { notes } = await declare(inputs, known, { key: '', label: `'${file}'` });
    const note = 'Properties and types are not checked: set AUDIENCE_BASE_URL and AUDIENCE_API_KEY.\n';
    process.stdout.write(`'${file}': ${notes.join('\n')}\n${known.isComplete ? '' : note}`);
  } finally {
    client?.close();
  }
}
