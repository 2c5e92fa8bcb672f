import { createClient } from '../engine/connection.js';
import type { KnownNames } from '../resources/contacts/file/columns.js';
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

/**
 * Says of a file what a plan would say.
 *
 * @returns the exit status.
 * @throws ResourceError when the file or the options are wrong.
 */
export async function check(args: string[]): Promise<number> {
  return onFiles(args, 1, USAGE, checkFile);
}

async function checkFile([file = '']: readonly string[], options: FileOptions): Promise<void> {
  const known = await knownNames();
  const reading = new Reading({ ...options, file }, known);
  await readRows(reading, new Declarations());
  const note = known.isComplete
    ? ''
    : 'Properties are not checked: set AUDIENCE_BASE_URL and AUDIENCE_API_KEY to compare the columns with the service.\n';
  process.stdout.write(
    `'${file}': ${reading.notes().join('\n')}\n${note}columns: ${reading.columns.suggestion()}\n`,
  );
}

/** What the service has, where the environment names one. */
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
