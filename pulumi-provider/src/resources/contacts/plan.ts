import { problem, textOf, type PlanKind } from '../../messages/index.js';
import { IDENTIFIERS } from '../contact-record/fields.js';
import { orRefused, type Resolved } from '../contact-record/identity.js';
import { find, type Upsert } from '../contact-record/upsert.js';
import { effectsOn, groupOf, type Values } from '../contact-record/values.js';
import { locationOf } from '../declarations.js';
import { ResourceError } from '../errors.js';
import type { Run } from '../run.js';
import type { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { nameOfSource, type Inputs } from './inputs.js';
import { Matcher, type Match } from './match.js';
import type { Before } from './state.js';
import { workOn } from './work.js';

/** How many contacts a plan looks up, and how many changed rows it names. */
const MAX_LOOKED_UP = 200;
const MAX_ROWS = 10;

/** Shows what a run will do. Throws ResourceError where it would change too many contacts. */
export async function showPlan(list: DeclaredRows, before: Before, inputs: Inputs, run: Run): Promise<void> {
  const matcher = new Matcher(before, list, inputs.createWithEvent);
  const written: Record<'new' | 'changed' | 'nobody', Written[]> = { new: [], changed: [], nobody: [] };
  const removals = new Counts();
  let losing = 0;
  for (const row of list.rows) {
    const match = matcher.match(row);
    const taken = removalsOf(match, inputs.consent === 'no mail');
    for (const [kind, name] of taken) removals.count(kind, name);
    if (taken.length > 0) losing += 1;
    if (match.todo !== 'write') continue;
    const all = written[match.isNobody ? 'nobody' : match.known === undefined ? 'new' : 'changed'];
    if (all.length < MAX_LOOKED_UP) all.push({ row, wanted: match.wanted });
  }
  const { maxRemovals: limit = Math.max(10, Math.floor(list.rows.length / 10)) } = inputs;
  if (losing > limit)
    throw new ResourceError(problem('contacts.removals', { counts: removals, losing, limit }));
  const found = await lookUp([...written.new, ...written.changed, ...written.nobody], run);
  const plan = new Plan(inputs.createWithEvent?.eventName, run);
  for (const row of list.rows) plan.add(row, matcher.match(row), found.get(row));
  for (const entry of matcher.skipped) plan.known.add(entry);
  for (const entry of before.entries)
    if (entry.absence === undefined && !plan.known.has(entry)) plan.count('removed');
  run.host.reporter.info(
    problem('contacts.plan', {
      ...{ counts: plan, rows: plan.rows, gone: plan.gone },
      ...{ list: list.resource.label, source: nameOfSource(inputs), notes: list.notes },
    }),
  );
}

interface Written {
  readonly row: DeclaredRow;
  readonly wanted: Upsert;
}

/** Asks the service about the first rows. Those that are not reached in time have no result. */
async function lookUp(rows: readonly Written[], run: Run): Promise<ReadonlyMap<DeclaredRow, Resolved>> {
  const found = new Map<DeclaredRow, Resolved>();
  if (rows.length === 0) return found;
  await run.known.forCheck('Which contacts exist', (options) => {
    const look = async ({ row, wanted }: Written): Promise<undefined> => {
      found.set(row, await orRefused(find(wanted, run, options)));
    };
    return workOn(rows.slice(0, MAX_LOOKED_UP), look, run.host);
  });
  return found;
}

/** Of a list that does not change, names the rows whose contacts are gone. */
export function tellGone(list: DeclaredRows, before: Before, inputs: Inputs, run: Run): void {
  if (before.entries.every(({ absence }) => absence !== 'gone')) return;
  const matcher = new Matcher(before, list, inputs.createWithEvent);
  const gone = list.rows.filter((row) => matcher.match(row).known?.absence === 'gone');
  const locations = gone.map(({ location }) => location);
  if (gone.length > 0)
    run.host.reporter.warn(problem('contacts.gone', { rows: locations, source: nameOfSource(inputs) }));
}

/** Numbers of contacts by kind, and by the field, group, event or reason. */
class Counts extends Map<PlanKind, Map<string, number>> {
  count(kind: PlanKind, name = ''): void {
    const counts = this.get(kind) ?? new Map<string, number>();
    this.set(kind, counts.set(name, (counts.get(name) ?? 0) + 1));
  }
}

/** Counts what a run does, as far as state and look-ups tell. */
class Plan extends Counts {
  /** The first changed rows with their fields, and those that are gone. */
  readonly rows: string[] = [];
  readonly gone: string[] = [];
  readonly known = new Set<Match['known']>();

  constructor(
    private readonly event: string | undefined,
    private readonly run: Run,
  ) {
    super();
  }

  add(row: DeclaredRow, match: Match, found: Resolved | undefined): void {
    this.known.add(match.known);
    const refused = match.todo === 'refuse' ? match : found;
    if (refused !== undefined && 'problem' in refused) {
      this.count('refused', textOf(refused.problem));
      return;
    }
    this.#addEmptied(row, match);
    if (match.todo === 'write' && found === undefined) this.count(match.isNobody ? 'nobody' : 'notLookedUp');
    const isThere =
      match.known === undefined ? this.#addNew(row, match, found) : this.#addKnown(row, match, found);
    if (isThere) this.#addValues(match, found);
  }

  /** What state has of the row, and the row declares no more. */
  #addEmptied(row: DeclaredRow, { known }: Match): void {
    if (known === undefined) return;
    for (const name of known.values.keys()) if (!Object.hasOwn(row.values, name)) this.count('emptied', name);
    for (const name of IDENTIFIERS)
      if (known[name] !== undefined && row[name] === undefined) this.count('emptied', name);
  }

  /** @returns whether the contact exists once the row is written. */
  #addNew(row: DeclaredRow, { isNobody }: Match, found: Resolved | undefined): boolean {
    if (!isNobody) this.count('new');
    if (found === undefined) return !isNobody;
    if (found.kind === 'found') {
      this.count('exist');
      for (const name of effectsOn(found.contact, row.values).overwrites) this.count('overwritten', name);
      return true;
    }
    if (this.event === undefined || row.values['subscribed'] === false) {
      this.count('nobody');
      return false;
    }
    const refusal = this.run.creations.announce({ identity: row, where: locationOf(row) });
    if (refusal?.kind === 'gone') this.gone.push(row.location);
    else if (refusal?.kind === 'notCreated') this.count('notCreated', refusal.by);
    else if (refusal?.kind === 'sent') this.count('exist');
    else this.count('created', this.event);
    return refusal === undefined || refusal.kind === 'sent';
  }

  #addKnown(row: DeclaredRow, match: Match, found: Resolved | undefined): boolean {
    const isGone = found === undefined ? match.known?.absence === 'gone' : found.kind === 'nobody';
    if (isGone) {
      this.gone.push(row.location);
      return false;
    }
    this.count(match.todo === 'nothing' ? 'unchanged' : 'changed');
    const names = [...match.moved, ...Object.keys(match.values)];
    if (names.length > 0 && this.rows.length < MAX_ROWS)
      this.rows.push(`${row.location}: ${names.join(', ')}`);
    return true;
  }

  #addValues({ values }: Match, found: Resolved | undefined): void {
    const left = found?.kind === 'found' ? effectsOn(found.contact, values).notJoined : [];
    for (const [kind, name] of effectsOf(values)) {
      const mayHaveLeft = kind === 'joins' && left.includes(name);
      this.count(mayHaveLeft ? 'notJoined' : kind, name);
    }
  }
}

/** What a value does to a contact, with the field or group. */
type Effect = readonly [kind: PlanKind, name: string];

function effectsOf(values: Values): Effect[] {
  return Object.entries(values).flatMap(([name, value]): Effect[] => {
    const group = groupOf(name);
    if (group !== undefined) return [[value === true ? 'joins' : 'leaves', group]];
    if (name === 'subscribed') return [['unsubscribed', '']];
    return value === null ? [['loses', name]] : [];
  });
}

/** What a row takes from its contact, by the declaration and the state alone. */
function removalsOf({ todo, known, isNobody, values }: Match, isOptOutList: boolean): Effect[] {
  if (todo === 'refuse') return [];
  // An opt-out of nobody counts once, and a new row takes nothing else.
  return effectsOf(values).filter(([kind]) =>
    kind === 'unsubscribed' ? !isOptOutList && !isNobody : kind !== 'joins' && known !== undefined,
  );
}
