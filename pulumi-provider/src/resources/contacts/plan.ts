import { problem, textOf } from '../../messages/index.js';
import { IDENTIFIERS } from '../contact-record/fields.js';
import { orRefused, type Resolved } from '../contact-record/identity.js';
import { find } from '../contact-record/upsert.js';
import { effectsOn, joinsOf } from '../contact-record/values.js';
import { locationOf } from '../declarations.js';
import type { Run } from '../run.js';
import type { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { nameOfSource, type Inputs } from './inputs.js';
import { Counts, kindsOf, Removals } from './limits.js';
import { Matcher, type Match } from './match.js';
import type { Before } from './state.js';
import { workOn } from './work.js';

/** How many contacts a plan looks up, and how many changed rows it names. */
const MAX_LOOKED_UP = 200;
const MAX_ROWS = 10;

/** Shows what a run will do. Throws ResourceError where it would change too many contacts. */
export async function showPlan(list: DeclaredRows, before: Before, inputs: Inputs, run: Run): Promise<void> {
  const matcher = new Matcher(before, list, inputs.createWithEvent);
  const removals = new Removals(list.isOptOutList);
  /** Rows to look up, of each kind one more than a plan looks up. */
  const wanted: Record<'new' | 'changed' | 'nobody', DeclaredRow[]> = { new: [], changed: [], nobody: [] };
  for (const row of list.rows) {
    const match = matcher.match(row);
    removals.add(match);
    const isNew = match.known === undefined || joinsOf(match.values).length > 0;
    const all = wanted[match.isNobody ? 'nobody' : isNew ? 'new' : 'changed'];
    if (match.todo === 'write' && all.length <= MAX_LOOKED_UP) all.push(row);
  }
  removals.assertFew(list.rows.length, inputs.maxRemovals);
  const found = await lookUp([wanted.new, wanted.changed, wanted.nobody], matcher, run);
  const plan = new Plan(inputs.createWithEvent?.eventName, run);
  for (const row of list.rows) plan.add(row, matcher.match(row), found.get(row));
  for (const entry of matcher.skipped) plan.known.add(entry);
  const left = before.entries.filter((entry) => entry.absence === undefined && !plan.known.has(entry));
  plan.count('removed', '', left.length);
  run.host.reporter.info(
    problem('contacts.plan', {
      ...{ counts: plan, rows: plan.rows, gone: plan.gone },
      ...{ list: list.resource.label, source: nameOfSource(inputs), notes: list.notes },
    }),
  );
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

/** Asks the service about as many kinds of rows as there is time for. Rows that are not reached have no result. */
async function lookUp(
  kinds: readonly (readonly DeclaredRow[])[],
  matcher: Matcher,
  run: Run,
): Promise<ReadonlyMap<DeclaredRow, Resolved>> {
  const found = new Map<DeclaredRow, Resolved>();
  const rows: DeclaredRow[] = [];
  for (const more of kinds) if (rows.length + more.length <= MAX_LOOKED_UP) rows.push(...more);
  if (rows.length === 0) return found;
  await run.known.forCheck('Which contacts exist', (options) => {
    const look = async (row: DeclaredRow): Promise<undefined> => {
      const match = matcher.match(row);
      if (match.todo === 'write') found.set(row, await orRefused(find(match.wanted, run, options)));
    };
    return workOn(rows, look, run.host);
  });
  return found;
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
    if (match.todo === 'refuse') {
      this.count('refused', textOf(match.problem));
      return;
    }
    if (found?.kind === 'refused') {
      this.count('refused', textOf(found.problem));
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
    switch (refusal?.kind) {
      case undefined:
        this.count('created', this.event);
        return true;
      case 'sent':
        this.count('exist');
        return true;
      case 'known':
        this.gone.push(row.location);
        return false;
      case 'optedOut':
        this.count('notCreated', locationOf(refusal.by));
        return false;
    }
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
    for (const [kind, name] of kindsOf(values)) {
      const mayHaveLeft = kind === 'joins' && left.includes(name);
      this.count(mayHaveLeft ? 'notJoined' : kind, name);
    }
  }
}
