import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isRecord, parseJsonText } from 'audience-core/internal';
import { counted, problem, textOf, type Problem } from '../messages/index.js';
import { createClient } from '../engine/connection.js';
import { Reading } from '../contact-file/read.js';
import { inputProblem, readInputs, type Inputs } from '../resources/contacts/inputs.js';
import { readRows } from '../resources/contacts/list.js';
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
  const known: KnownNames =
    client === undefined
      ? { types: new Map(), isComplete: false }
      : await new KnownService(client, { info: tell, warn: tell }).names();
  const rejected: string[] = [];
  let header = '';
  const reading = new Reading(inputs, known, undefined, {
    onProgress: (count) => tell(problem('contacts.reading', { list: `'${file}'`, count })),
    onReject: (names, values, reasons) => {
      if (rejects === undefined) return;
      const ofRow = lineOf(['reason', ...names]);
      rejected.push(`${ofRow === header ? '' : ofRow}${lineOf([reasons, ...values])}`);
      header = ofRow;
    },
  });
  try {
    await readRows(reading, new Declarations());
  } finally {
    client?.close();
    if (rejects !== undefined && rejected.length > 0) {
      await writeFile(rejects, rejected.join(''));
      stderr.write(`${counted(rejected.length, 'invalid row')} written to '${rejects}'.\n`);
    }
  }
  const note = 'Properties and types are not checked: set AUDIENCE_BASE_URL and AUDIENCE_API_KEY.\n';
  process.stdout.write(`'${file}': ${reading.notes().join('\n')}\n${known.isComplete ? '' : note}`);
}

function lineOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\n`;
}

function cellOf(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
