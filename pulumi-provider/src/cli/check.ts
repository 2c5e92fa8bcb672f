import { createWriteStream } from 'node:fs';
import { listOf } from '../file-messages.js';
import { counted } from '../messages.js';
import { createClient } from '../engine/connection.js';
import type { KnownNames } from '../resources/contacts/file/columns.js';
import type { FileOptions } from '../resources/contacts/file/options.js';
import { Reading } from '../resources/contacts/file/read.js';
import type { RejectedRow } from '../resources/contacts/file/read.js';
import { readRows } from '../resources/contacts/list.js';
import { Declarations } from '../resources/declarations.js';
import { onFile } from './file-arguments.js';

const NO_GROUP = 'is no subscription group of the service';

const USAGE = `Usage: pulumi-audience check FILE [--options JSON] [--rejects OUT]

Reads a file of contacts as Contacts does, says what is wrong with it, and prints its columns to copy. Nothing is written
to the service.

With AUDIENCE_BASE_URL and AUDIENCE_API_KEY in the environment, columns and types are compared with the service's.
`;

/** Prints what a plan would say of a file. Resolves to the exit status; throws ResourceError for a wrong file. */
export async function check(args: string[]): Promise<number> {
  return onFile(args, USAGE, checkFile);
}

async function checkFile(file: string, options: FileOptions, rejects: string | undefined): Promise<void> {
  const known = await knownNames();
  const rejected = rejects === undefined ? undefined : new RejectsFile(rejects);
  const reading = new Reading({ ...options, file }, known, undefined, {
    onProgress: (rows) => void process.stderr.write(`'${file}': ${counted(rows, 'row')} read so far.\n`),
    onReject: rejected && ((row) => rejected.add(row)),
  });
  try {
    await readRows(reading, new Declarations());
  } finally {
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

/** The service's properties and groups, if the environment has its address. */
async function knownNames(): Promise<KnownNames> {
  if (process.env['AUDIENCE_BASE_URL'] === undefined && process.env['AUDIENCE_API_KEY'] === undefined) {
    return { types: new Map(), isComplete: false };
  }
  const client = createClient(() => undefined, 'environment');
  try {
    const [properties, groups] = await Promise.all([
      client.properties.list(),
      client.subscriptionGroups.list(),
    ]);
    return {
      types: new Map(properties.map(({ key, type }) => [key, type])),
      groupProblem: (id) => Promise.resolve(groups.some((group) => group.id === id) ? undefined : NO_GROUP),
      isComplete: true,
    };
  } finally {
    client.close();
  }
}
