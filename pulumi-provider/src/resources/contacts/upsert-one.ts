import { canAddress, isRecord } from 'audience-core/internal';
import { AudienceError } from 'audience-core';
import type { Contact } from 'audience-core';
import { fieldOfColumn, groupOfColumn } from '../contact/columns.js';
import { declaredFields, keptFields } from '../contact/fields.js';
import type { Changes, ContactFields } from '../contact/fields.js';
import { SENT_BEFORE, upsert } from '../contact/upsert.js';
import type { CreationEventState } from '../contact/upsert.js';
import type { CreationEvent } from '../creation-event.js';
import { ResourceError } from '../errors.js';
import { textOf } from '../raw.js';
import type { Raw } from '../raw.js';
import type { PropertyTypes } from '../known-properties.js';
import { agrees, isEmail, isGiven } from '../people.js';
import type { Identity } from '../people.js';
import type { Run } from '../run.js';
import { locate, lookUp, update, write } from '../service-contacts.js';
import { encodedRecord } from './check.js';
import type { Inputs } from './inputs.js';
import type { ColumnChanges } from './ledger.js';
import type { ContactRecord } from './records.js';
import { IN_BULK } from './work.js';

/** What is declared otherwise than before, and `null` for what was declared and is no more. */
function changesOf(fields: ContactFields, { written, cleared }: ColumnChanges): Changes {
  const { subscriptionGroups, ...declared } = declaredFields(fields);
  const names = new Set(written.map(fieldOfColumn));
  const groups = new Set(written.flatMap((column) => groupOfColumn(column) ?? []));
  const memberships = Object.entries(isRecord(subscriptionGroups) ? subscriptionGroups : {}).filter(([id]) =>
    groups.has(id),
  );
  return {
    ...Object.fromEntries(Object.entries(declared).filter(([name]) => names.has(name))),
    ...(memberships.length === 0 ? {} : { subscriptionGroups: Object.fromEntries(memberships) }),
    ...Object.fromEntries(cleared.map((column) => [fieldOfColumn(column), null])),
  };
}

/** What the ledger has of the person of a record. */
interface KnownRecord {
  readonly isNew: boolean;
  readonly isKnownByEmail: boolean;
  readonly isKnownByUserId: boolean;
  /** Whether its address was somebody else's, who has another userId. */
  readonly isAddressTaken: boolean;
  /** Where the service's id is known. */
  readonly identity: Identity | undefined;
  readonly columns: ColumnChanges;
}

/**
 * Brings one contact from what was upserted to what is declared.
 *
 * @returns its id, where the service told it.
 * @throws AudienceError, ResourceError where that could not be done.
 */
export async function upsertOne(
  record: ContactRecord,
  before: KnownRecord,
  types: PropertyTypes,
  { createWithEvent, ...source }: Inputs,
  run: Run,
): Promise<string | undefined> {
  const encoded = encodedRecord(record, types, source);
  if (encoded === undefined) {
    throw new ResourceError('it is not what was checked before: the file was changed meanwhile');
  }
  const fields = keptFields(encoded);
  const { email, userId } = fields;
  const changes = changesOf(fields, before.columns);
  if (before.identity !== undefined) {
    return updateKnown(before.identity, before, fields, changes, run);
  }
  const assertNoOther = async (): Promise<void> => {
    const holder = email === undefined ? undefined : await lookUp(run.client, email, IN_BULK);
    if (isGiven(holder?.userId) && holder.userId !== userId)
      throw new ResourceError(before.isAddressTaken ? STILL_OF_ANOTHER : ANOTHER_USER_ID);
  };
  const getsUserId = userId !== undefined && !before.isKnownByUserId;
  if (before.isAddressTaken || getsUserId) await assertNoOther();
  // A contact that was upserted before may have got another email since: its userId still finds it.
  if (before.isKnownByUserId && canAddress(userId)) {
    const all =
      email === undefined || (before.isKnownByEmail && !before.columns.isAll)
        ? changes
        : { ...changes, email };
    const updated = await update(run.client, userId, all, IN_BULK);
    if (updated !== undefined) return updated.id;
    // Nobody has the userId any more, so that whoever has the email would get it.
    if (!before.isKnownByEmail) await assertNoOther();
  }
  // Whoever was there and is gone may have been erased: nobody is created anew that the plan did not call new.
  const event = before.isNew ? createWithEvent : undefined;
  const upserted = await upsert({ email, userId }, event, changes, run, IN_BULK);
  if (upserted.done) return upserted.id;
  throw new ResourceError(before.isNew ? absence(upserted.event, createWithEvent) : IS_GONE);
}

/**
 * Updates the contact that state knows by its id: an address may be another's by now.
 *
 * @throws ResourceError when it is gone, or its address leads to another.
 */
async function updateKnown(
  identity: Identity,
  { isKnownByEmail, isKnownByUserId, columns: { isAll } }: KnownRecord,
  { email, userId }: ContactFields,
  changes: Changes,
  { client }: Run,
): Promise<string | undefined> {
  const isIt = ({ id }: Contact): boolean => id === identity.id;
  const { contact, other } = await locate(client, [identity, { email, userId }], isIt, IN_BULK);
  if (contact === undefined) throw new ResourceError(other === undefined ? IS_GONE : ANOTHER);
  // An identifier that is declared as before stays as others may have set it.
  const isMoved = email !== undefined && (isAll || !isKnownByEmail) && !isEmail(contact.email, email);
  const isRenamed = userId !== undefined && (isAll || !isKnownByUserId) && contact.userId !== userId;
  if (isRenamed && !isKnownByUserId && isKnownByEmail && isGiven(contact.userId))
    throw new ResourceError(ANOTHER_USER_ID);
  const isNeeded = isRenamed || (isMoved && !canAddress(contact.userId));
  const identifiers = { email: isMoved ? email : undefined, userId: isNeeded ? userId : undefined };
  const written = await write(client, contact, identifiers, changes, IN_BULK);
  if (written !== 'done') throw new ResourceError(written === 'gone' ? IS_GONE : NO_WAY_TO_EMAIL);
  return contact.id;
}

const ANOTHER =
  "its address leads to another contact of the service than the one that was written before; nobody was changed. Correct the address, or take the record out, run 'pulumi up', and declare it anew";

const STILL_OF_ANOTHER =
  'its address is still that of the contact with another userId, whom an earlier run wrote; nobody was changed. Give that contact another address first; if it is the same person with a new userId, change the userId in the service';

const ANOTHER_USER_ID =
  'the contact of its email has another userId in the service, of which state does not know; nobody was changed. Correct the userId here; if it is the service that is wrong, correct it there';

const NO_WAY_TO_EMAIL =
  'its email is another in the service, which changes one only for a contact that it can find by a userId without an @; nobody was changed';

/**
 * The service's id of a contact, which not every service tells when it is written.
 *
 * @param isThere whether it has just been written, so that a service which shows nobody shows it late.
 * @returns `undefined` where the service shows nobody of these identifiers.
 */
export async function readId(
  fields: Raw,
  isThere: boolean,
  { client }: Run,
): Promise<{ readonly id: string } | 'not read' | undefined> {
  const declared = { email: textOf(fields['email']), userId: textOf(fields['userId']) };
  const identifier = declared.email ?? declared.userId;
  if (identifier === undefined) return undefined;
  try {
    const found = await lookUp(client, identifier, IN_BULK);
    if (found === undefined) return isThere ? 'not read' : undefined;
    return agrees(found, declared) ? { id: found.id } : undefined;
  } catch (error) {
    if (error instanceof AudienceError) return 'not read';
    throw error;
  }
}

const IS_GONE =
  "it was in the service at the last run and is gone, or under other identifiers by now; nobody was created. Take the record out, or run 'pulumi refresh', after which it counts as new";

function absence(sent: CreationEventState, event: CreationEvent | undefined): string {
  const name = `the event '${event?.eventName ?? ''}'`;
  if (sent === 'sent before') return `${name} ${SENT_BEFORE}`;
  if (sent === 'sent') return `${name} was sent, but the service does not show the contact yet`;
  if (sent === 'unclear') {
    return `${name} may have been sent: the service gave no clear response, and does not show the contact yet`;
  }
  return 'there is no such contact in the service; set createWithEvent, so that an event creates it';
}
