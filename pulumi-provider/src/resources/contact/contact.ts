import { canAddress } from 'audience-core/internal';
import { AudienceError } from 'audience-core';
import type { Contact } from 'audience-core';
import type { Behaviour } from '../behaviour.js';
import { absence, checkContact } from './check.js';
import {
  clearedAsDropped,
  doubtedChanges,
  doubtedIn,
  isAttempted,
  leftToOthers,
  namesIn,
  withDoubts,
  without,
} from './drift.js';
import { declaredFields, fieldChanges, IDENTIFIERS, onWire } from './fields.js';
import type { Changes } from './fields.js';
import {
  asDeclared,
  compared,
  declaredAsItIs,
  inputsSchema,
  stateOf,
  withDatesAsText,
  withDatesOf,
} from './state.js';
import type { State } from './state.js';
import { locateKnown } from './locate-known.js';
import { deleteContact } from './delete.js';
import { SENT_BEFORE, upsert } from './upsert.js';
import { lost, noWayToEmail, sayMoved, sayUserIdCleared, sayWhatStays } from './messages.js';
import type { Claim } from '../declarations.js';
import { PartialFailure, ResourceError } from '../errors.js';
import { holdsUnknown, textOf } from '../raw.js';
import { sentence } from '../words.js';
import { isEmail, keptAsDeclaredBy, nameOf } from '../people.js';
import type { Identity } from '../people.js';
import type { Run } from '../run.js';
import { lookUp, REFUSED_TO_SAY, write } from '../service-contacts.js';

/** One contact. State knows it by the service's id; its email and userId only lead to it. */
export const contact: Behaviour = {
  schema: inputsSchema,
  // Values of an unclear write may be secret ones.
  secrets: ['doubted'],

  check: checkContact,

  /** @throws ResourceError where another resource of the program leads to the same contact. */
  diff(id, outs, news, run) {
    const identity = { email: textOf(news['email']), userId: textOf(news['userId']) };
    const owner = run.people.ownerOf(identity);
    const other = owner && run.people.claim({ id }, owner);
    const isKnown = !holdsUnknown(news);
    const cleared = isKnown ? clearedIn(run, id, stateOf(outs), stateOf(onWire(news))) : [];
    if (cleared.length === 0) assertOnly(id, owner, other);
    if (owner !== undefined) run.unchecked.delete(id);
    // A refresh compares before the check too, and knows all values then.
    else if (!isKnown) run.unchecked.add(id);
    if (!isKnown) return Promise.resolve({ changes: true });
    const state = stateOf(outs);
    const after = stateOf(onWire(news));
    if (owner !== undefined) {
      sayMoved(id, state, after, run.host);
      sayUserIdCleared(state, after, run.host);
    }
    const doubted = Object.keys(doubtedIn(outs));
    if (doubted.length > 0) {
      run.host.reporter.info(
        `Contact ${nameOf(state)}: an earlier run may have set ${doubted.join(', ')}. Where it has, that is brought to what is declared now, as far as the service lets it.`,
      );
    }
    return Promise.resolve({
      changes:
        doubted.length + namesIn(outs['setByOthers']).length > 0 ||
        cleared.length > 0 ||
        compared(state) !== compared(withDatesOf(state, after)),
    });
  },

  /**
   * Sets what is declared of the contact. Where there is none, `createWithEvent` sends the event that creates it;
   * without that it is an error, as the service has no call that only creates a contact.
   *
   * @throws ResourceError when there is no such contact.
   */
  async create(raw, run) {
    const state = stateOf(onWire(raw));
    const { email, userId, createWithEvent } = state;
    const upserted = await upsert({ email, userId }, createWithEvent, declaredFields(state), run);
    if (upserted.done) {
      const id = upserted.id ?? (await newId(state, run));
      if (id === undefined) {
        throw new ResourceError(
          `Contact ${nameOf(state)} has the declared values, but the service does not show it, so that its id is not known. Run 'pulumi up' again in a minute.`,
        );
      }
      claimId(id, state, run);
      return { id, outs: { ...state } };
    }
    if (upserted.event === 'none') throw new ResourceError(sentence(absence(state)));
    const event = `event '${createWithEvent?.eventName ?? ''}'`;
    if (upserted.event === 'sent before') {
      throw new ResourceError(`Contact ${nameOf(state)}: the ${event} ${SENT_BEFORE}.`);
    }
    throw new ResourceError(
      upserted.event === 'sent'
        ? `Contact ${nameOf(state)} has been sent the ${event}, but the service does not show the contact yet. Run 'pulumi up' again in a minute.`
        : `Contact ${nameOf(state)} may have been sent the ${event}: the service gave no clear response, and does not show the contact yet. Run 'pulumi up' again in a minute: within 24 hours the service carries the event out once.`,
    );
  },

  /** What the service has of the declared fields, or `undefined` when the contact is gone or another. */
  async read(id, raw, { client, host }) {
    const state = stateOf(raw);
    const { contact, other, isRefused } = await locateKnown(id, raw, client);
    if (contact !== undefined) {
      const current = asDeclared(state, contact);
      const setByOthers = new Set([
        ...namesIn(raw['setByOthers']),
        ...Object.keys(fieldChanges(current, state)),
      ]);
      return {
        id,
        outs: {
          ...current,
          ...(setByOthers.size === 0 ? {} : { setByOthers: [...setByOthers] }),
          ...(raw['doubted'] === undefined ? {} : { doubted: raw['doubted'] }),
        },
      };
    }
    host.reporter.warn(
      other === undefined
        ? `Contact ${nameOf(state)} is gone from the service, or has another email and userId there by now${isRefused === true ? ` (the service ${REFUSED_TO_SAY})` : ''}, and leaves the state. Remove it from the program, or run 'pulumi up' once the contact is there again.`
        : `Contact ${nameOf(state)} is another person by now: its address leads to contact ${other.id} of the service, and no longer to ${id}. It leaves the state, and nobody is changed. The next 'pulumi up' would adopt the other person: remove the contact from the program, or correct its email or userId, if that is not meant.`,
    );
    return undefined;
  },

  async import(name, { client }) {
    const contact = await lookUp(client, name);
    if (contact === undefined) return undefined;
    const custom = await client.properties.list({ list: 'custom' });
    const outs = declaredAsItIs(contact, custom);
    return { id: contact.id, outs: { ...outs }, inputs: withDatesAsText(outs, custom) };
  },

  /**
   * Brings the contact from what was declared to what is declared now. A new email and a new userId take two calls;
   * if only the first got through, or both did and nobody heard of it, running this again ends the same.
   *
   * @throws ResourceError when the contact is gone, has become another, or would take the address of another.
   */
  async update(id, oldOuts, raw, run) {
    const before = stateOf(oldOuts);
    const after = stateOf(onWire(raw));
    const { client, host } = run;
    const doubted = doubtedIn(oldOuts);
    const { contact, other } = await locateKnown(id, oldOuts, client, after);
    if (contact === undefined) throw new ResourceError(lost(after, id, other));
    const cleared = clearedIn(run, id, before, after);
    const byUserId = run.people.ownerOf({ userId: contact.userId });
    if (cleared.length > 0) {
      host.reporter.warn(
        `Contact ${nameOf(after)}: ${cleared.join(', ')} ${cleared.length === 1 ? 'was' : 'were'} cleared in this run by another resource that leads to the same contact. What is declared here is set again. Keep one of them.`,
      );
    } else
      assertOnly(id, run.people.ownerOf(after), byUserId ?? run.people.ownerOf({ email: contact.email }));
    const all = {
      ...Object.fromEntries(Object.entries(declaredFields(after)).filter(([name]) => cleared.includes(name))),
      ...doubtedChanges(oldOuts, after),
      ...fieldChanges(before, after),
    };
    const left = leftToOthers(oldOuts, all, after, contact);
    const isOurs = before.userId !== undefined || isAttempted(oldOuts, contact, 'userId');
    const kept = {
      id,
      email: after.email ?? contact.email,
      userId: after.userId ?? (isOurs ? null : contact.userId),
    };
    const changes = without([...left, ...keptElsewhere(without(left, all), after, kept, run)], all);
    const isUnsubscribed = contact.subscribed === false && isAttempted(oldOuts, contact, 'subscribed');
    sayWhatStays(isUnsubscribed ? { ...before, subscribed: false } : before, after, left, host);
    await assertFree(id, contact, after, client);
    const userId = after.userId ?? (isOurs ? null : undefined);
    const isMoved = after.email !== undefined && !isEmail(contact.email, after.email);
    const isRenamed = userId !== undefined && userId !== (contact.userId ?? null);
    const identifiers = {
      ...(isMoved ? { email: after.email } : {}),
      ...(isRenamed ? { userId } : {}),
    };
    const halfDone = (reason: string): PartialFailure =>
      new PartialFailure(id, { ...oldOuts, doubted: withDoubts(doubted, { ...changes, ...identifiers }) }, [
        reason,
      ]);
    try {
      const written = await write(client, contact, { email: after.email, userId }, changes);
      if (written === 'no way to email') throw new ResourceError(noWayToEmail(before, after));
      if (written === 'gone' && isMoved && isRenamed) throw halfDone(lost(after, id, undefined));
      if (written === 'gone') throw new ResourceError(lost(after, id, undefined));
    } catch (error) {
      if (!(error instanceof AudienceError)) throw error;
      if (isMoved && isRenamed)
        throw halfDone(
          `${error.message} A new email and a new userId take two calls: the first may have been carried out. Run 'pulumi up' again.`,
        );
      if (error.unclear) throw halfDone(error.message);
      throw error;
    }
    return { outs: { ...after } };
  },

  delete: deleteContact,
};

/** What is or was declared of a contact and was cleared in this run, before it was known that it is declared here, too. */
function clearedIn({ cleared }: Run, id: string, before: State, after: State): string[] {
  const names = Object.keys({ ...declaredFields(before), ...declaredFields(after) });
  return cleared.of({ id, email: after.email, userId: after.userId }, names);
}

/**
 * What is no longer declared and stays nevertheless, as another resource of the run declares the contact.
 *
 * @param identity of the contact, once it is as declared.
 */
function keptElsewhere(changes: Changes, after: State, identity: Identity, run: Run): string[] {
  const { people, cleared, host } = run;
  const names = clearedAsDropped(changes, after);
  const own = people.ownerOf({ email: after.email, userId: after.userId });
  const other = own && people.ownerOf(identity, own);
  if (other === undefined) {
    cleared.note(identity, names);
    return [];
  }
  if (names.length > 0) host.reporter.warn(`Contact ${nameOf(after)}: ${keptAsDeclaredBy(names, other)}`);
  return names;
}

/** @throws ResourceError where somebody else declares the contact as well. */
function assertOnly(id: string, owner: Claim | undefined, other: Claim | undefined): void {
  if (owner === undefined || other === undefined || other.declarant.key === owner.declarant.key) return;
  throw new ResourceError(
    `${owner.location} and ${other.location} lead to the same contact of the service (id ${id}). Keep one of them. If it is their names that changed places, as with an index in the name, give each the name that it had, or an alias.`,
  );
}

async function newId({ email, userId }: State, { client }: Run): Promise<string | undefined> {
  const identifier = email ?? userId;
  return identifier === undefined ? undefined : (await lookUp(client, identifier))?.id;
}

function claimId(id: string, { email, userId }: State, { people }: Run): void {
  const owner = people.ownerOf({ email, userId });
  if (owner !== undefined) people.claim({ id }, owner);
}

/** @throws ResourceError where a new address belongs to another contact. */
async function assertFree(id: string, contact: Contact, after: State, client: Run['client']): Promise<void> {
  for (const name of IDENTIFIERS) {
    const wanted = after[name];
    const isOld = name === 'email' ? isEmail(contact.email, wanted ?? '') : contact.userId === wanted;
    if (wanted === undefined || isOld || (name === 'userId' && !canAddress(wanted))) continue;
    const holder = await lookUp(client, wanted);
    if (holder === undefined || holder.id === id) continue;
    throw new ResourceError(
      `Contact ${nameOf(after)} cannot be given the ${name} '${wanted}': another contact of the service has it (id ${holder.id}). Nobody was changed. Choose another ${name}, or change that of the other contact first.`,
    );
  }
}
