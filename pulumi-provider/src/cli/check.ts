import { createWriteStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { listOf } from '../file-messages.js';
import { counted, textOf } from '../messages.js';
import type { Problem } from '../messages.js';
import { createClient } from '../engine/connection.js';
import type { KnownNames } from '../resources/contacts/file/columns.js';
import { FILE_OPTIONS_EXPECTED } from '../resources/contacts/file/options.js';
import type { FileOptions } from '../resources/contacts/file/options.js';
import { Reading } from '../resources/contacts/file/read.js';
import type { RejectedRow } from '../resources/contacts/file/read.js';
import { knownNames, readRows } from '../resources/contacts/list.js';
import { Declarations } from '../resources/declarations.js';
import { KnownService } from '../resources/known-service.js';
import { readOptions } from './file-options.js';

const USAGE = `Usage: pulumi-audience check FILE [--options JSON] [--rejects OUT]

Reads a file of contacts as Contacts does, says what is wrong with it, and prints its columns to copy. Nothing is written
to the service.

With AUDIENCE_BASE_URL and AUDIENCE_API_KEY in the environment, columns and types are compared with the service's.

  --options JSON  inputs of Contacts that say how to read a file, such as '{"encoding": "windows-1252"}', or a file with
                  them: ${Object.keys(FILE_OPTIONS_EXPECTED).join(', ')}
  --rejects OUT   writes the invalid rows to a CSV file, with a column for the reason
`;

/** Prints what a plan would say of a file. Resolves to the exit status; throws ResourceError for a wrong file. */
export async function check(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      options: { type: 'string', default: '{}' },
      rejects: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [file, ...others] = positionals;
  if (values.help || file === undefined || others.length > 0) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 2;
  }
  await checkFile(file, await readOptions(values.options), values.rejects);
  return 0;
}

async function checkFile(file: string, options: FileOptions, rejects: string | undefined): Promise<void> {
  const { env, stderr } = process;
  const hasService = env['AUDIENCE_BASE_URL'] !== undefined || env['AUDIENCE_API_KEY'] !== undefined;
  const client = hasService ? createClient(() => undefined) : undefined;
  const tell = (one: Problem): void => void stderr.write(`${textOf(one)}\n`);
  const known: KnownNames =
    client === undefined
      ? { types: new Map(), isComplete: false }
      : await knownNames(new KnownService(client, { info: tell, warn: tell }));
  const rejected = rejects === undefined ? undefined : new RejectsFile(rejects);
  const reading = new Reading({ ...options, file }, known, undefined, {
    onProgress: (rows) => void stderr.write(`'${file}': ${counted(rows, 'row')} read so far.\n`),
    onReject: rejected && ((row) => rejected.add(row)),
  });
  try {
    await readRows(reading, new Declarations());
  } finally {
    client?.close();
    await rejected?.end();
  }
  const note = known.isComplete ? '' : uncheckedNote(reading);
  process.stdout.write(`'${file}': ${reading.notes().join('\n')}\n${note}${reading.columnsToCopy()}`);
}

function uncheckedNote({ columns }: Reading): string {
  const others = [...columns.all.values()].flatMap(({ field = '' }) =>
    field === '' || columns.isField(field) ? [] : [field],
  );
  return [
    'Properties and types are not checked: set AUDIENCE_BASE_URL and AUDIENCE_API_KEY to compare them.\n',
    ...(others.length === 0 ? [] : [`Until then, the columns to copy lack ${listOf(others)}.\n`]),
  ].join('');
}

/** A CSV file of the rows that are refused, with a column for the reason. It is there only if a row is refused. */
class RejectsFile {
  private stream: ReturnType<typeof createWriteStream> | undefined;
  private names: readonly string[] = [];
  private count = 0;

  constructor(private readonly path: string) {}

  add({ names, values, reasons }: RejectedRow): void {
    const isNewHeader = this.stream === undefined || names.join('\n') !== this.names.join('\n');
    this.stream ??= createWriteStream(this.path);
    if (isNewHeader) this.stream.write(lineOf(['reason', ...names]));
    this.names = names;
    this.count += 1;
    this.stream.write(lineOf([reasons.join(' '), ...values]));
  }

  async end(): Promise<void> {
    if (this.stream === undefined) return;
    const { stream } = this;
    await new Promise((resolve) => stream.end(resolve));
    process.stderr.write(`${counted(this.count, 'invalid row')} written to '${this.path}'.\n`);
  }
}

function lineOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\n`;
}

function cellOf(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
