import { MAX_LOOKED_UP, MAX_ROWS, problem, textOf, type PlanKind } from '../../messages/index.js';
import { ResourceError } from '../errors.js';
import { IDENTIFIERS } from '../contact-record/fields.js';
import { resolve } from '../contact-record/identity.js';
import { isOptedOut } from '../contact-record/upsert.js';
import { effectsOn, groupOf, joinsOf, type Values } from '../contact-record/values.js';
import type { Run } from '../run.js';
import type { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { nameOfSource, type Inputs } from './inputs.js';
import { Matcher, type Match } from './match.js';
import { UNCLEAR, type Before, type Outputs } from './state.js';
import { workOn } from './work.js';

/** Shows what a run will do. Throws ResourceError where it would change too many contacts. */
export async function showPlan(rows: DeclaredRows, before: Before, inputs: Inputs, run: Run): Promise<void> {
  const matcher = new Matcher(before, rows, run.rejoinCodes);
  const plan = new Plan(rows.isOptOutList);
  const listed = new Set(matcher.skipped);
  for (const row of rows) {
    const match = matcher.match(row);
    plan.addRow(row, match);
    for (const entry of match.keep) listed.add(entry);
  }
  plan.add('removed', '', before.entries.length - listed.size);
  plan.assertFewChanges(rows.length, inputs.maxRemovals);
  const event = inputs.createWithEvent?.eventName;
  const isLookedUp = await plan.lookUp(event, run);
  run.host.reporter.info(
    problem('contacts.plan', {
      ...{ event, isLookedUp, counts: plan.counts, rows: plan.rows },
      ...{ list: rows.resource.label, source: nameOfSource(inputs), notes: rows.notes },
    }),
  );
}

/** What state says about each row, and what a run takes from contacts. */
class Plan {
  readonly counts = new Map<PlanKind, Map<string, number>>();
  /** What `maxRemovals` limits, of the same. */
  readonly #removals: typeof this.counts = new Map();
  readonly rows: string[] = [];
  /** The first new rows, and those that join a group: the service is asked about them if they are all. */
  readonly #fresh: DeclaredRow[] = [];
  readonly #joining: DeclaredRow[] = [];
  #known = 0;
  #moved = 0;
  #losing = 0;

  /** @param isOptOut whether the list as a whole unsubscribes: that is no removal. */
  constructor(private readonly isOptOut: boolean) {}

  add(kind: PlanKind, name = '', number = 1, all = this.counts): void {
    const counts = all.get(kind) ?? new Map<string, number>();
    const sum = (counts.get(name) ?? 0) + number;
    if (sum > 0) all.set(kind, counts.set(name, sum));
    else counts.delete(name);
  }

  addRow(row: DeclaredRow, { refused, known, entry, moved, rejoins, values }: Match): void {
    if (refused !== undefined) {
      this.add('refused', textOf(refused));
      return;
    }
    this.#addValues(values, known !== undefined);
    if (known === undefined) {
      this.add('new');
      if (this.#fresh.length <= MAX_LOOKED_UP) this.#fresh.push(row);
      return;
    }
    this.#known += 1;
    if (moved.some((name) => known[name] !== undefined && known[name] !== UNCLEAR)) this.#moved += 1;
    for (const name of known.values.keys()) if (!entry.values.has(name)) this.add('emptied', name);
    for (const name of IDENTIFIERS)
      if (known[name] !== undefined && entry[name] === undefined) this.add('emptied', name);
    if (known.isGone === true) this.add('gone');
    const names = [...moved, ...Object.keys(values)];
    this.add(names.length > 0 ? 'changed' : 'unchanged');
    if (names.length > 0 && this.rows.length < MAX_ROWS)
      this.rows.push(`${row.location}: ${names.join(', ')}`);
    if (joinsOf(values).length > rejoins.length) this.#joining.push(row);
  }

  #addValues(values: Values, isKnown: boolean): void {
    let removals = 0;
    const lose = (kind: PlanKind, name: string, isRemoval: boolean): void => {
      this.add(kind, name);
      if (!isRemoval) return;
      this.add(kind, name, 1, this.#removals);
      removals += 1;
    };
    for (const [name, value] of Object.entries(values)) {
      const group = groupOf(name);
      if (group !== undefined && value === true) this.add('joins', group);
      else if (group !== undefined) lose('leaves', group, isKnown);
      else if (name === 'subscribed') lose('unsubscribed', '', !this.isOptOut);
      else if (value === null) lose('loses', name, isKnown);
    }
    if (removals > 0) this.#losing += 1;
  }

  assertFewChanges(rows: number, limit = Math.max(10, Math.floor(rows / 10))): void {
    const [counts, losing, known, moved] = [this.#removals, this.#losing, this.#known, this.#moved];
    if (rows >= 10 && moved > known / 2)
      throw new ResourceError(problem('contacts.shifted', { moved, known }));
    if (losing > limit) throw new ResourceError(problem('contacts.removals', { counts, losing, limit }));
  }

  /** Asks the service about new rows and rows that join a group. Resolves to whether it told which exist. */
  async lookUp(event: string | undefined, run: Run): Promise<boolean> {
    const rows = [...this.#fresh, ...this.#joining];
    if (rows.length === 0 || rows.length > MAX_LOOKED_UP) return false;
    const look = async (row: DeclaredRow): Promise<{ readonly error?: undefined }> => {
      const found = await resolve(row, run.client, { hasUserId: true });
      const isNew = this.#fresh.includes(row);
      if (isNew && found.kind === 'nobody') {
        if (isOptedOut(row, row.values, run)) this.add('nothing');
        else this.add(event === undefined ? 'missing' : 'created', event);
      }
      if (found.kind !== 'found') return {};
      if (isNew) this.add('exist');
      const { notJoined, overwrites } = effectsOn(found.contact, row.values);
      for (const group of notJoined) {
        this.add('notJoined', group);
        this.add('joins', group, -1);
      }
      for (const name of isNew ? overwrites : []) this.add('overwritten', name);
      return {};
    };
    const done = await run.known.forCheck('Which contacts exist', async () => workOn(rows, look, run.host));
    return done !== undefined;
  }
}

/** Throws ResourceError where a file ended in a line end before, and does not now. */
export function assertNotCutOff(rows: DeclaredRows, before: Outputs, inputs: Inputs): void {
  if (rows.endsInLineEnd !== false || before.endsInLineEnd !== true || before.file !== inputs.file) return;
  const location = rows.at(rows.length - 1)?.location ?? 'a line';
  throw new ResourceError(problem('contacts.cutOff', { source: nameOfSource(inputs), location }));
}
