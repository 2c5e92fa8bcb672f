import type { Contact } from 'audience-core';
import { fieldOfColumn, isClearable } from '../contact-fields.js';
import type { Changes } from '../contact-fields.js';
import type { Claim } from '../declarations.js';
import { count, ResourceError } from '../host.js';
import { isGiven } from '../people.js';
import type { Identity } from '../people.js';
import type { Run } from '../run.js';
import { locate, REFUSED_TO_SAY, update } from '../service-contacts.js';
import { leftAgo } from './leavers.js';
import { Ledger } from './ledger.js';
import type { LedgerEntry } from './ledger.js';
import { deletionProblem } from './plan-words.js';
import { nameOfSource } from './records.js';
import type { Outputs } from './state.js';
import { IN_BULK, runAll } from './work.js';
import type { Task } from './work.js';

/**
 * Does with the contacts of a deleted ledger what `onRemove` says. Each is read first: one that is somebody else by
 * now, or that this run declares, is left alone.
 *
 * @param latest the later copy of the same list, where this is one that was replaced: whom it has is its business.
 * @param successor key of the declarant that goes on with the other contacts of the ledger.
 */
export async function removeAll(
  outs: Outputs,
  latest: Outputs | undefined,
  successor: string | undefined,
  run: Run,
): Promise<void> {
  const { host, people, client } = run;
  const fate = outs.onRemove ?? 'retain';
  const ledger = Ledger.read(outs);
  const source = nameOfSource(outs);
  const alone = new Map<string, number>();
  const isDeclared = (identity: Identity): boolean => {
    const owner = people.ownerOf(identity);
    if (owner !== undefined && owner.declarant.key !== successor) {
      alone.set(owner.declarant.label, (alone.get(owner.declarant.label) ?? 0) + 1);
    }
    return owner !== undefined;
  };
  const later = latest && Ledger.read(latest);
  const left = latest && leftAgo(latest.left, latest.generation - outs.generation);
  const others = ledger.all().filter((entry) => later?.knows(entry) !== true);
  if (later !== undefined && left === undefined && others.length > 0 && fate !== 'retain') {
    host.reporter.warn(
      `${count(others.length, 'contact')} that left ${source} ${others.length === 1 ? 'stays' : 'stay'} as before: their removal failed, and state no longer tells them from those who left since.`,
    );
  }
  const isAll = later === undefined || fate === 'retain';
  const entries = isAll ? others : others.filter((entry) => left?.(entry) === true);
  // An address can be somebody else's by now: whose it is in the service is read before anything is taken.
  const open = entries.filter(({ identity }) => {
    const owner = people.ownerOf(identity);
    const isOther =
      owner !== undefined && (isAnother(identity, owner) || people.isOfAnother(identity, owner));
    return isOther || !isDeclared(identity);
  });
  if (fate === 'retain') {
    if ((latest !== undefined || successor === undefined) && open.length > 0) {
      host.reporter.warn(
        `${count(open.length, 'contact')} of ${source} no longer declared ${open.length === 1 ? 'stays' : 'stay'} in the service, which has no call to delete one. Set onRemove to 'unsubscribe' or 'clear' for more.`,
      );
    }
    return;
  }
  const isAddressed = ({ identity: { email, userId } }: LedgerEntry): boolean =>
    isGiven(email) || isGiven(userId);
  const unaddressed = open.filter((one) => !isAddressed(one));
  if (unaddressed.length > 0) {
    host.reporter.warn(
      `${count(unaddressed.length, 'contact')} no longer declared cannot be addressed and ${unaddressed.length === 1 ? 'stays' : 'stay'} as before: state held no address, as onRemove was 'retain' until now.`,
    );
  }
  const unknown = open.filter((one) => isAddressed(one) && !isKnown(one));
  if (unknown.length > 0) {
    host.reporter.warn(
      `${count(unknown.length, 'contact')} that left ${source} ${unknown.length === 1 ? 'stays' : 'stay'} as before: state has only an email of ${unknown.length === 1 ? 'it' : 'them'}, which may be another person's by now, as the service had not told the id. Do it in the service.`,
    );
  }
  const leaving = open.filter((one) => isAddressed(one) && isKnown(one));
  // Of those who leave a list that goes on, the plan has spoken.
  const tooMany =
    successor === undefined && latest === undefined
      ? deletionProblem(leaving.length, outs.count, outs.maxRemovals, outs, fate)
      : undefined;
  if (tooMany !== undefined) throw new ResourceError(tooMany);
  let [done, refused, seen] = [0, 0, 0];
  const lost: Identity[] = [];
  const tasks = leaving.map(({ identity, columns }): Task => ({
    location: 'a contact that left',
    fields: { ...identity },
    run: async () => {
      const {
        contact: person,
        other,
        isRefused,
      } = await locate(client, [identity], isPerson(identity), IN_BULK);
      if (person !== undefined || other !== undefined) seen += 1;
      if (person === undefined) {
        if (isRefused === true) refused += 1;
        lost.push(identity);
        return;
      }
      if (isDeclared(person)) return;
      const address = person.email ?? person.userId;
      const changes = fate === 'unsubscribe' ? { subscribed: false } : cleared(columns);
      if (Object.keys(changes).length > 0 && typeof address === 'string') {
        const updated = await update(client, address, changes, IN_BULK);
        if (updated === undefined) throw new ResourceError('the service no longer shows it');
      }
      done += 1;
    },
  }));
  const { failures } = await runAll(tasks, tasks.length, host);
  const verb = fate === 'unsubscribe' ? 'unsubscribed' : 'cleared';
  if (refused > 0 && seen === 0) {
    // A service that shows somebody means by it that the others are not there; one that shows nobody may be at fault.
    const gone = new Set(leaving);
    const staying = ledger.all().filter((entry) => isAddressed(entry) && !gone.has(entry));
    if (!(await showsOne(staying, run))) {
      throw new ResourceError(
        `${refused} of ${tasks.length} contacts that left ${source} could not be ${verb}: of none of them the service says whether it is there (400), and it shows nobody else of the list. Run it again; if they are gone from the service, set onRemove to 'retain' for one run.`,
      );
    }
  }
  if (lost.length > 0) {
    const ids = lost.flatMap(({ id }) => (isGiven(id) ? id : []));
    const why = `gone from the service, or under another address by now${refused === 0 ? '' : `; of ${refused} it ${REFUSED_TO_SAY}`}`;
    host.reporter.warn(
      `${count(lost.length, 'contact')} that left ${source} ${lost.length === 1 ? 'was' : 'were'} not ${verb}: ${why}. Whoever still is there has to be looked for in the service${ids.length === 0 ? '' : ` (${ids.length === 1 ? 'id' : 'ids'} ${ids.join(', ')})`}.`,
    );
  }
  if (done > 0 || alone.size > 0) {
    const owners = [...alone].map(
      ([label, number]) => `${number.toLocaleString('en')} left as they are, as ${label} declares them`,
    );
    const facts = [`${done.toLocaleString('en')} ${verb}`, ...owners];
    host.reporter.info(`Contacts that left ${source}: ${facts.join('; ')}.`);
  }
  if (failures.length > 0) {
    throw new ResourceError(
      `${failures.length} of ${tasks.length} contacts that left ${source} could not be ${verb}. The first: ${failures[0] ?? ''}. Run it again: what is done twice changes nothing more.`,
    );
  }
}

/** How many of those who stay are read, to see whether the service shows anybody. */
const LOOKS = 3;

async function showsOne(entries: readonly LedgerEntry[], { client }: Run): Promise<boolean> {
  for (const { identity } of entries.slice(0, LOOKS)) {
    const { contact } = await locate(client, [identity], () => true, IN_BULK);
    if (contact !== undefined) return true;
  }
  return false;
}

function isKnown({ identity: { id, userId } }: LedgerEntry): boolean {
  return isGiven(id) || isGiven(userId);
}

/** Whether a contact is the person whom state knows: by the id, or by the userId. An email may be another's by now. */
function isPerson({ id, userId }: Identity): (contact: Contact) => boolean {
  return (found) => (isGiven(id) ? found.id === id : isGiven(userId) && found.userId === userId);
}

/** Whether a person is declared under another userId than the one that state knows. */
function isAnother({ userId }: Identity, owner: Claim): boolean {
  return isGiven(userId) && owner.userId !== undefined && owner.userId !== userId;
}

function cleared(columns: LedgerEntry['columns']): Changes {
  return Object.fromEntries(
    [...columns.keys()].filter(isClearable).map((column) => [fieldOfColumn(column), null]),
  );
}
