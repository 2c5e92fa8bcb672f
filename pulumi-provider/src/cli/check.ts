import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isRecord, parseJsonText } from 'audience-core/internal';
import { sentenceOf } from '../messages/files.js';
import { counted, textOf, type Problem } from '../messages/index.js';
import { isForPeople } from '../engine/calls.js';
import { createClient } from '../engine/connection.js';
import { locationOf, textOfCell } from '../contact-file/rows.js';
import type { ListRow } from '../contact-file/tally.js';
import { DeclaredRows } from '../resources/contacts/declared-rows.js';
import { inputProblem, readInputs, type Inputs } from '../resources/contacts/inputs.js';
import { fill } from '../resources/contacts/list.js';
import { Declarations } from '../resources/declarations.js';
import { ResourceError } from '../resources/errors.js';
import { KnownService, type KnownNames } from '../resources/known-service.js';

const USAGE = `Usage: pulumi-audience check FILE [--options JSON] [--rejects OUT]

Reads a file of contacts as Contacts does. It says what a plan would say of it, and prints inputs to copy where the file
needs them. Nothing is written to the service.

With AUDIENCE_BASE_URL and AUDIENCE_API_KEY in the environment, columns and types are compared with the service's.

  --options JSON  inputs of Contacts, such as '{"encoding": "windows-1252"}', or a file with them
  --rejects OUT   writes the invalid rows to a CSV file, with a column for the reason
`;

/** Runs `pulumi-audience`. Resolves to the exit status; throws ResourceError for a wrong file or wrong options. */
export async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      options: { type: 'string', default: '{}' },
      rejects: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [command, file, ...others] = positionals;
  if (values.help || command !== 'check' || file === undefined || others.length > 0) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 2;
  }
  await check(file, await readOptions(file, values.options), values.rejects);
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
  const { value } = parseJsonText(text);
  if (!isRecord(value)) throw new ResourceError(`--options: '${given}' is neither JSON nor a file with it.`);
  const inputs = { ...value, file };
  const wrong = inputProblem(inputs);
  if (wrong !== undefined) throw new ResourceError(`--options: ${textOf(wrong)}`);
  return readInputs(inputs);
}

async function check(file: string, inputs: Inputs, rejects: string | undefined): Promise<void> {
  const { env, stderr } = process;
  const hasService = env['AUDIENCE_BASE_URL'] !== undefined || env['AUDIENCE_API_KEY'] !== undefined;
  const client = hasService ? createClient(() => undefined) : undefined;
  const tell = (one: Problem): void => void stderr.write(`${textOf(one)}\n`);
  const fail = (one: Problem): never => {
    throw new ResourceError(one);
  };
  const rejected: string[] = [];
  let header = '';
  const reject = ({ names, cells, unit, number, problems }: ListRow): void => {
    if (rejects === undefined || problems.length === 0) return;
    const ofRow = lineOf(['reason', ...names]);
    const locations = [locationOf(unit, number)];
    const reasons = problems.map((one) => sentenceOf('', { ...one, locations }).slice(2));
    rejected.push(`${ofRow === header ? '' : ofRow}${lineOf([reasons.join(' '), ...cells])}`);
    header = ofRow;
  };
  const rows = new DeclaredRows({ key: '', label: `'${file}'` }, false);
  let known: KnownNames = { types: new Map(), isComplete: false };
  try {
    if (client !== undefined) known = await new KnownService(client, { info: tell, warn: fail }).names();
    await fill(rows, inputs, known, new Declarations(), { info: tell }, reject);
  } finally {
    client?.close();
    if (rejects !== undefined && rejected.length > 0) {
      await writeFile(rejects, rejected.join('')).catch((error: unknown) => {
        throw new ResourceError(`--rejects: '${rejects}' cannot be written (${codeOf(error)}).`);
      });
      stderr.write(`${counted(rejected.length, 'invalid row')} written to '${rejects}'.\n`);
    }
  }
  const note = 'Properties and types are not checked: set AUDIENCE_BASE_URL and AUDIENCE_API_KEY.\n';
  process.stdout.write(`'${file}': ${rows.notes.join('\n')}\n${known.isComplete ? '' : note}`);
}

function codeOf(error: unknown): string {
  return isRecord(error) && 'code' in error ? String(error['code']) : String(error);
}

function lineOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\n`;
}

function cellOf(value: unknown): string {
  const text = typeof value === 'string' ? value : textOfCell(value);
  return /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
