import { Reading } from '../resources/contacts/file/read.js';
import type { FileOptions } from '../resources/contacts/file/options.js';
import { ResourceError } from '../resources/errors.js';
import { IDENTIFIERS } from '../resources/contact-record/fields.js';
import { keysOf } from '../resources/contact-record/identity.js';
import type { Identity } from '../resources/contact-record/identity.js';
import { onFiles } from './file-arguments.js';

const USAGE = `Usage: pulumi-audience leavers OLD NEW [--options JSON]

Prints the contacts that are in OLD and not in NEW, as a list with subscribed=false. Review it: declared in Contacts, it
unsubscribes them. A contact without a userId whose email changed is in it, too. Nothing is written, and no request is sent.
`;

/**
 * Prints the contacts that are in one file and not in another. Resolves to the exit status.
 *
 * @throws ResourceError when a file cannot be read, or the two cannot be compared.
 */
export async function leavers(args: string[]): Promise<number> {
  return onFiles(args, 2, USAGE, compareFiles);
}

async function compareFiles(
  [before = '', after = '']: readonly string[],
  options: FileOptions,
): Promise<void> {
  const [old, now] = [await identitiesIn(before, options), await identitiesIn(after, options)];
  const keys = new Set(now.flatMap(keysOf));
  const gone = old.filter((one) => !keysOf(one).some((key) => keys.has(key)));
  const common = IDENTIFIERS.filter((name) => now.some((one) => one[name] !== undefined));
  if (!gone.every((one) => common.some((name) => one[name] !== undefined))) {
    throw new ResourceError(
      `'${after}' does not have the identifier of every contact in '${before}'. Compare files that both have emails, or both have userIds.`,
    );
  }
  const rows = gone.map(({ email = '', userId = '' }) => `${cell(email)},${cell(userId)},false\n`);
  process.stdout.write(`email,userId,subscribed\n${rows.join('')}`);
  process.stderr.write(`${gone.length} of ${old.length} rows of '${before}' are not in '${after}'.\n`);
}

async function identitiesIn(file: string, options: FileOptions): Promise<Identity[]> {
  const identities: Identity[] = [];
  const reading = new Reading({ ...options, file }, { types: new Map(), isComplete: false });
  await reading.read(({ email, userId }) => identities.push({ email, userId }));
  return identities;
}

function cell(text: string): string {
  return /[",;\t|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
