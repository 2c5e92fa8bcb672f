import { problem, textOf } from '../../messages/index.js';
import { IDENTIFIERS } from '../contact-record/fields.js';
import { keysOf, orRefused, type Resolved } from '../contact-record/identity.js';
import { find, isOptedOut } from '../contact-record/upsert.js';
import { effectsOn, joinsOf } from '../contact-record/values.js';
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

/**
 * Shows what a run will do. Throws ResourceError where it would change too many contacts.
 *
 * @param changes whether the run updates the list: else the service is not asked.
 */
export async function showPlan(
  rows: DeclaredRows,
  before: Before,
  inputs: Inputs,
  run: Run,
  changes: boolean,
): Promise<void> {
  const matcher = new Matcher(before, rows);
  const removals = new Removals(rows.isOptOutList);
  /** Rows to look up, of each kind one more than a plan looks up. */
  const wanted: Record<'new' | 'changed' | 'nobody', DeclaredRow[]> = { new: [], changed: [], nobody: [] };
  for (const row of rows) {
    const match = matcher.match(row);
    removals.add(match);
    const isNew = match.known === undefined || joinsOf(match.values).length > 0;
    const all = wanted[match.isNobody ? 'nobody' : isNew ? 'new' : 'changed'];
    if (match.refused === undefined && isWritten(match) && all.length <= MAX_LOOKED_UP) all.push(row);
  }
  removals.assertFew(rows.length, inputs.maxRemovals);
  const found = await lookUp(changes ? [wanted.new, wanted.changed, wanted.nobody] : [], matcher, run);
  const plan = new Plan(inputs.createWithEvent?.eventName, run);
  for (const row of rows) plan.add(row, matcher.match(row), found.get(row.number));
  for (const entry of matcher.skipped) plan.known.add(entry);
  const left = before.entries.filter((entry) => entry.absence === undefined && !plan.known.has(entry));
  plan.count('removed', '', left.length);
  const isAnyLeft = (plan.get('notLookedUp')?.get('') ?? 0) > MAX_LOOKED_UP;
  run.host.reporter.info(
    problem('contacts.plan', {
      ...{ counts: plan, rows: plan.rows, gone: plan.gone },
      ...{ list: rows.resource.label, source: nameOfSource(inputs), notes: rows.notes },
      ...{ event: plan.event, mostLookedUp: isAnyLeft ? MAX_LOOKED_UP : undefined },
    }),
  );
}

function isWritten({ known, values, moved }: Match): boolean {
  return known === undefined || Object.keys(values).length + moved.length > 0;
}

/** Asks the service about as many kinds of rows as there is time for. Rows that are not reached have no result. */
async function lookUp(
  kinds: readonly (readonly DeclaredRow[])[],
  matcher: Matcher,
  run: Run,
): Promise<ReadonlyMap<number, Resolved>> {
  const found = new Map<number, Resolved>();
  const rows: DeclaredRow[] = [];
  for (const more of kinds) if (rows.length + more.length <= MAX_LOOKED_UP) rows.push(...more);
  if (rows.length === 0) return found;
  await run.known.forCheck('Which contacts exist', (options) => {
    const look = async (row: DeclaredRow): Promise<undefined> => {
      found.set(row.number, await orRefused(find(matcher.match(row), run, options)));
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
    readonly event: string | undefined,
    private readonly run: Run,
  ) {
    super();
  }

  add(row: DeclaredRow, match: Match, found: Resolved | undefined): void {
    const { known, entry } = match;
    this.known.add(known);
    const why = match.refused ?? (found?.kind === 'refused' ? found.problem : undefined);
    if (why !== undefined) {
      this.count('refused', textOf(why));
      return;
    }
    for (const name of known?.values.keys() ?? []) if (!entry.values.has(name)) this.count('emptied', name);
    for (const name of IDENTIFIERS)
      if (known?.[name] !== undefined && entry[name] === undefined) this.count('emptied', name);
    if (isWritten(match) && found === undefined) this.count(match.isNobody ? 'nobody' : 'notLookedUp');
    const isThere = known === undefined ? this.#addNew(row, match, found) : this.#addKnown(row, match, found);
    if (isThere) this.#addValues(match, found);
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
    const isCreated = this.event !== undefined && !isOptedOut(row, row.values, this.run);
    if (!isCreated) this.count(isOptedOut(row, row.values, this.run) ? 'nobody' : 'missing');
    else if (this.run.creations.announce(keysOf(row))) this.count('created', this.event);
    else this.count('exist');
    return isCreated;
  }

  #addKnown(row: DeclaredRow, match: Match, found: Resolved | undefined): boolean {
    const isGone = found === undefined ? match.known?.absence === 'gone' : found.kind === 'nobody';
    const names = [...match.moved, ...Object.keys(match.values)];
    if (isGone) this.gone.push(row.location);
    else this.count(isWritten(match) ? 'changed' : 'unchanged');
    if (!isGone && names.length > 0 && this.rows.length < MAX_ROWS)
      this.rows.push(`${row.location}: ${names.join(', ')}`);
    return !isGone;
  }

  #addValues({ values }: Match, found: Resolved | undefined): void {
    const left = found?.kind === 'found' ? effectsOn(found.contact, values).notJoined : [];
    for (const [kind, name] of kindsOf(values)) {
      const mayHaveLeft = kind === 'joins' && left.includes(name);
      this.count(mayHaveLeft ? 'notJoined' : kind, name);
    }
  }
}
