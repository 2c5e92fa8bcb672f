import type { Contact } from 'audience-core';
import { columnsOf, fieldOfColumn } from '../contact/columns.js';
import type { Claim } from '../declarations.js';
import { ResourceError } from '../errors.js';
import { keptAsDeclaredBy } from '../people.js';
import type { Identity } from '../people.js';
import { textOf } from '../raw.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { locate } from '../service-contacts.js';
import type { ColumnChanges, Ledger } from './ledger.js';
import type { ContactRecord } from './records.js';
import { IN_BULK } from './work.js';

// A program may declare one person twice, by email and by userId, and does not show it: nothing is then taken by one
// of the two that the other declares.

/**
 * The changes of a record, but those that would clear a value of somebody whom another one declares.
 *
 * @param list its name, for messages.
 * @param identity what state knows of the person.
 * @throws ResourceError where the service does not show who it is.
 */
export async function withoutTaking(
  list: string,
  { fields, location }: ContactRecord,
  columns: ColumnChanges,
  identity: Identity | undefined,
  run: Run,
): Promise<ColumnChanges> {
  const { people, cleared, client, host } = run;
  const declared = { email: textOf(fields['email']), userId: textOf(fields['userId']) };
  const own = people.ownerOf(declared);
  if (columns.cleared.length === 0 || own === undefined) return columns;
  const isIt = ({ id }: Contact): boolean => identity?.id === undefined || id === identity.id;
  const isShared = people.mayBeShared(declared);
  const { contact } = isShared ? await locate(client, [identity ?? declared, declared], isIt, IN_BULK) : {};
  if (isShared && contact === undefined) throw new ResourceError(NOT_SHOWN);
  const whole = {
    id: contact?.id ?? identity?.id,
    email: declared.email ?? contact?.email,
    userId: declared.userId ?? contact?.userId,
  };
  const names = columns.cleared.map(fieldOfColumn);
  const other = people.ownerOf(whole, own);
  if (other === undefined) {
    cleared.note(whole, names);
    return columns;
  }
  host.reporter.warn(`${list}, ${location}: ${keptAsDeclaredBy(names, other)}`);
  return { ...columns, cleared: [] };
}

const NOT_SHOWN =
  "it no longer declares all that it did, and the service does not show the contact, so that nobody knows whether another resource declares it, too; nobody was changed. If it is gone, take the record out; if not, run 'pulumi up' again";

/** What there is to say where it came out too late that somebody else declares a contact. */
export function clearedTooLate({ cleared }: ColumnChanges, { location }: Claim): string {
  return `${cleared.map(fieldOfColumn).join(', ')} ${cleared.length === 1 ? 'was' : 'were'} cleared before it was known that ${location} declares the same contact. Run 'pulumi refresh', keep one of them, and run 'pulumi up'`;
}

/**
 * Fields that are declared and were cleared in this run, before it was known that they are declared here, too. To be
 * asked where something was cleared at all.
 */
export function clearedSince(fields: Raw, ledger: Ledger, { cleared }: Run): string[] {
  const names = columnsOf(fields).map(fieldOfColumn);
  const declared = { email: textOf(fields['email']), userId: textOf(fields['userId']) };
  const ids = [undefined, ...ledger.find(fields).map(({ identity }) => identity.id)];
  return ids.flatMap((id) => cleared.of({ ...declared, id }, names));
}
