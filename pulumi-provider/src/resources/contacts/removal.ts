import type { Contact } from 'audience-core';
import { fieldOfColumn, isClearable } from '../contact/columns.js';
import type { Changes } from '../contact/fields.js';
import { isSet } from '../contact/state.js';
import type { Claim } from '../declarations.js';
import { ResourceError } from '../errors.js';
import { contactsOf, digits } from '../words.js';
import { IN_THE_SERVICE } from '../on-removal.js';
import { isGiven } from '../people.js';
import type { Identity } from '../people.js';
import type { Run } from '../run.js';
import { locate, REFUSED_TO_SAY, update } from '../service-contacts.js';
import { leftAgo } from './leavers.js';
import { Ledger } from './ledger.js';
import type { LedgerEntry } from './ledger.js';
import { pendingRemovalProblem, removalProblem } from './removal-limit.js';
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
 * @throws ResourceError where more would leave than may, and where it could not be done with all of them.
 */
export async function removeAll(
  outs: Outputs,
  latest: Outputs | undefined,
  successor: string | undefined,
  run: Run,
): Promise<void> {
  const removal = new Removal(outs, latest, successor, run);
  const open = removal.open();
  if (removal.onRemove === 'retain') removal.sayRetained(open);
  else await removal.takeFrom(removal.known(open));
}

/** What came of a removal. */
interface Taken {
  done: number;
  /** Of how many the service refuses to say whether they are there. */
  refused: number;
  /** Whether it has shown anybody. */
  hasShown: boolean;
  readonly lost: Identity[];
}

class Removal {
  readonly onRemove: NonNullable<Outputs['onRemove']>;
  readonly #ledger: Ledger;
  readonly #source: string;
  /** How many are left alone, by the label of who declares them. */
  readonly #alone = new Map<string, number>();

  constructor(
    private readonly outs: Outputs,
    private readonly latest: Outputs | undefined,
    private readonly successor: string | undefined,
    private readonly run: Run,
  ) {
    this.onRemove = outs.onRemove ?? 'retain';
    this.#ledger = Ledger.read(outs);
    this.#source = nameOfSource(outs);
  }

  /** Those whom nobody declares any more. */
  open(): LedgerEntry[] {
    const { people } = this.run;
    // An address can be somebody else's by now: whose it is in the service is read before anything is taken.
    return this.#ofThisCopy().filter(({ identity }) => {
      const owner = people.ownerOf(identity);
      const isOther =
        owner !== undefined &&
        (isAnother(identity, owner) || people.belongsToAnotherContact(identity, owner));
      return isOther || !this.#isDeclared(identity);
    });
  }

  sayRetained(open: readonly LedgerEntry[]): void {
    if ((this.latest === undefined && this.successor !== undefined) || open.length === 0) return;
    this.#warn(
      `${contactsOf(open.length)} of ${this.#source} no longer declared ${stay(open)} ${IN_THE_SERVICE}`,
    );
  }

  /** Those of whom state knows enough to find just them. */
  known(open: readonly LedgerEntry[]): LedgerEntry[] {
    const unaddressed = open.filter((one) => !isAddressed(one));
    if (unaddressed.length > 0) {
      this.#warn(
        `${contactsOf(unaddressed.length)} no longer declared cannot be addressed and ${stay(unaddressed)} as before: state held no address, as onRemove was 'retain' until now.`,
      );
    }
    const unknown = open.filter((one) => isAddressed(one) && !isKnown(one));
    if (unknown.length > 0) {
      this.#warn(
        `${contactsOf(unknown.length)} that left ${this.#source} ${stay(unknown)} as before: state has only an email of ${unknown.length === 1 ? 'it' : 'them'}, which may be another person's by now, as the service had not told the id. Do it in the service.`,
      );
    }
    return open.filter((one) => isAddressed(one) && isKnown(one));
  }

  async takeFrom(leaving: readonly LedgerEntry[]): Promise<void> {
    const { run } = this;
    const tooMany = await this.#limitProblem(leaving);
    if (tooMany !== undefined) throw new ResourceError(tooMany);
    const taken: Taken = { done: 0, refused: 0, hasShown: false, lost: [] };
    const tasks = leaving.map(({ identity, columns }): Task => ({
      location: 'a contact that left',
      fields: { ...identity },
      run: () => this.#takeFromOne(identity, columns, taken),
    }));
    const { failures } = await runAll(tasks, tasks.length, run.host);
    await this.#assertShown(leaving, taken);
    this.#report(taken);
    if (failures.length > 0) {
      throw new ResourceError(
        `${failures.length} of ${tasks.length} contacts that left ${this.#source} could not be ${this.#verb}. The first: ${failures[0] ?? ''}. Run it again: what is done twice changes nothing more.`,
      );
    }
  }

  /** Of those who leave a list that goes on, the plan has spoken, but not of those who left in an earlier run. */
  async #limitProblem(leaving: readonly LedgerEntry[]): Promise<string | undefined> {
    const { outs, latest, onRemove, run } = this;
    if (latest === undefined && this.successor !== undefined) return undefined;
    const list = run.contacts.list(outs);
    const problemOf = (open: number): string | undefined => {
      const { taken = 0 } = list;
      if (latest === undefined)
        return removalProblem({ leaving: taken + open, before: outs.count, onRemove, source: outs });
      const { maxRemovals } = 'maxRemovals' in list ? list : latest;
      return pendingRemovalProblem({ leaving: open, taken, outs, before: latest.count, maxRemovals });
    };
    let open = leaving.length;
    // An earlier run may have done a part of it.
    if (latest !== undefined && problemOf(open) !== undefined) open -= await this.#countDone(leaving);
    const problem = problemOf(open);
    if (problem === undefined) list.taken = (list.taken ?? 0) + open;
    return problem;
  }

  /** How many of them have nothing left to lose; who cannot be read counts as one that has. */
  async #countDone(leaving: readonly LedgerEntry[]): Promise<number> {
    const { client, host } = this.run;
    let done = 0;
    const tasks = leaving.map(({ identity, columns }): Task => ({
      location: 'a contact that left',
      fields: { ...identity },
      run: async () => {
        const { contact } = await locate(client, [identity], isPerson(identity), IN_BULK);
        const changes = Object.entries(this.#changesOf(columns));
        if (contact !== undefined && changes.every(([name, value]) => isSet(contact, name, value))) done += 1;
      },
    }));
    await runAll(tasks, tasks.length, host);
    return done;
  }

  #changesOf(columns: LedgerEntry['columns']): Changes {
    return this.onRemove === 'unsubscribe' ? { subscribed: false } : cleared(columns);
  }

  /** The entries that this copy of the list may remove: of an older copy, only those who left when it was replaced. */
  #ofThisCopy(): readonly LedgerEntry[] {
    const { outs, latest } = this;
    if (latest === undefined) return this.#ledger.all();
    const later = Ledger.read(latest);
    const others = this.#ledger.all().filter((entry) => !later.knows(entry));
    if (this.onRemove === 'retain') return others;
    const left = leftAgo(latest.left, latest.generation - outs.generation);
    if (left === undefined && others.length > 0) {
      this.#warn(
        `${contactsOf(others.length)} that left ${this.#source} ${stay(others)} as before: their removal failed, and state no longer tells them from those who left since.`,
      );
    }
    return others.filter((entry) => left?.(entry) === true);
  }

  /** Notes who declares a person, if somebody does. */
  #isDeclared(identity: Identity): boolean {
    const owner = this.run.people.ownerOf(identity);
    if (owner !== undefined && owner.declarant.key !== this.successor) {
      const { label } = owner.declarant;
      this.#alone.set(label, (this.#alone.get(label) ?? 0) + 1);
    }
    return owner !== undefined;
  }

  async #takeFromOne(identity: Identity, columns: LedgerEntry['columns'], taken: Taken): Promise<void> {
    const { client } = this.run;
    const { contact, other, isRefused } = await locate(client, [identity], isPerson(identity), IN_BULK);
    taken.hasShown ||= contact !== undefined || other !== undefined;
    if (contact === undefined) {
      if (isRefused === true) taken.refused += 1;
      taken.lost.push(identity);
      return;
    }
    if (this.#isDeclared(contact)) return;
    const address = contact.email ?? contact.userId;
    const changes = this.#changesOf(columns);
    if (Object.keys(changes).length > 0 && typeof address === 'string') {
      const updated = await update(client, address, changes, IN_BULK);
      if (updated === undefined) throw new ResourceError('the service no longer shows it');
    }
    taken.done += 1;
  }

  /**
   * A service that shows somebody means by a refusal that the others are not there; one that shows nobody may be at
   * fault.
   *
   * @throws ResourceError where it may be.
   */
  async #assertShown(leaving: readonly LedgerEntry[], { refused, hasShown }: Taken): Promise<void> {
    if (refused === 0 || hasShown) return;
    const gone = new Set(leaving);
    const staying = this.#ledger.all().filter((entry) => isAddressed(entry) && !gone.has(entry));
    if (await showsOne(staying, this.run)) return;
    throw new ResourceError(
      `${refused} of ${leaving.length} contacts that left ${this.#source} could not be ${this.#verb}: the service does not say whether any of them is there (400), and it shows nobody else of the list. Run it again; if they are gone from the service, set onRemove to 'retain' for one run.`,
    );
  }

  #report({ done, refused, lost }: Taken): void {
    if (lost.length > 0) {
      const ids = lost.flatMap(({ id }) => (isGiven(id) ? id : []));
      const why = `gone from the service, or under another address by now${refused === 0 ? '' : `; of ${refused} it ${REFUSED_TO_SAY}`}`;
      this.#warn(
        `${contactsOf(lost.length)} that left ${this.#source} ${lost.length === 1 ? 'was' : 'were'} not ${this.#verb}: ${why}. Whoever still is there has to be looked for in the service${ids.length === 0 ? '' : ` (${ids.length === 1 ? 'id' : 'ids'} ${ids.join(', ')})`}.`,
      );
    }
    if (done === 0 && this.#alone.size === 0) return;
    const owners = [...this.#alone].map(
      ([label, number]) => `${digits(number)} left as they are, as ${label} declares them`,
    );
    const facts = [`${digits(done)} ${this.#verb}`, ...owners];
    this.run.host.reporter.info(`Contacts that left ${this.#source}: ${facts.join('; ')}.`);
  }

  get #verb(): string {
    return this.onRemove === 'unsubscribe' ? 'unsubscribed' : 'cleared';
  }

  #warn(text: string): void {
    this.run.host.reporter.warn(text);
  }
}

function stay(entries: readonly LedgerEntry[]): string {
  return entries.length === 1 ? 'stays' : 'stay';
}

function isAddressed({ identity: { email, userId } }: LedgerEntry): boolean {
  return isGiven(email) || isGiven(userId);
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
