import { createClient } from '../engine/connection.js';
import type { Columns, KnownNames } from '../resources/contacts/file/columns.js';
import type { FileOptions } from '../resources/contacts/file/options.js';
import { Reading } from '../resources/contacts/file/read.js';
import { readRows } from '../resources/contacts/list.js';
import { Declarations } from '../resources/declarations.js';
import { onFiles } from './file-arguments.js';

const NO_GROUP = 'is no subscription group of the service';

const USAGE = `Usage: pulumi-audience check FILE [--options JSON]

Reads a file of contacts as Contacts does, says what is wrong with it, and prints its columns to copy. Nothing is written.

With AUDIENCE_BASE_URL and AUDIENCE_API_KEY in the environment, columns are compared with the service's properties.
`;

/** Prints what a plan would say of a file. Resolves to the exit status; throws ResourceError for a wrong file. */
export async function check(args: string[]): Promise<number> {
  return onFiles(args, 1, USAGE, checkFile);
}

async function checkFile([file = '']: readonly string[], options: FileOptions): Promise<void> {
  const known = await knownNames();
  const reading = new Reading({ ...options, file }, known);
  await readRows(reading, new Declarations());
  const note = known.isComplete ? '' : uncheckedNote(reading.columns, options);
  process.stdout.write(
    `'${file}': ${reading.notes().join('\n')}\n${note}columns: ${reading.columns.suggestion()}\n`,
  );
}

function uncheckedNote(columns: Columns, options: FileOptions): string {
  const fields = [...columns.used.values()].map(({ field }) => field);
  const missing = options.columns === undefined ? fields.filter((field) => !columns.isField(field)) : [];
  return [
    'Properties are not checked: set AUDIENCE_BASE_URL and AUDIENCE_API_KEY to compare the columns with the service.\n',
    ...(missing.length === 0 ? [] : [`Until then, the columns to copy lack ${missing.join(', ')}.\n`]),
  ].join('');
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
