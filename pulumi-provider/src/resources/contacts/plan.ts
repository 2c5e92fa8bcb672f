import { MAX_LOOKED_UP, MAX_ROWS, problem, textOf } from '../../messages.js';
import type { PlanFacts } from '../../messages.js';
import { ResourceError } from '../errors.js';
import { resolve } from '../contact-record/identity.js';
import { currentValue, groupOf, isConsent, joinsOf, mayHaveLeft } from '../contact-record/values.js';
import type { Values } from '../contact-record/values.js';
import type { Run } from '../run.js';
import type { Inputs } from './inputs.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import { nameOfSource } from './file/options.js';
import type { DeclaredRow } from './declared-rows.js';
import type { Before, Outputs } from './state.js';
import { workOn } from './work.js';

/** Numbers by name. */
export class Counts extends Map<string, number> {
  add(name: string): void {
    this.set(name, (this.get(name) ?? 0) + 1);
  }
}

/** Reports what a run will do. Throws ResourceError where it would change too many contacts. */
export async function reportPlan(list: List, before: Before, inputs: Inputs, run: Run): Promise<void> {
  const plan = planOf(list, new Matcher(before, list, run.rejoins));
  assertFewChanges(plan, list.rows.length, inputs);
  const looked = await lookUpNew(plan, run);
  for (const [group, number] of looked.notJoined)
    plan.joins.set(group, (plan.joins.get(group) ?? 0) - number);
  const facts: PlanFacts = {
    ...{ ...plan, ...looked, event: inputs.createWithEvent?.eventName },
    ...{ list: list.reading.resource.label, source: nameOfSource(inputs), notes: list.reading.notes() },
  };
  run.host.reporter.info(problem('contacts.plan', facts));
}

type Plan = ReturnType<typeof planOf>;

/** What state says about each row, and what a run takes from contacts that state knows. */
function planOf({ rows }: List, matcher: Matcher) {
  const plan = {
    ...{ refused: new Counts(), emptied: new Counts(), joins: new Counts(), leaves: new Counts() },
    clears: new Counts(),
    ...{ changed: 0, unchanged: 0, unsubscribed: 0, moved: 0, gone: 0, losing: 0, removedRows: 0 },
    added: 0,
    /** The first new rows, and those that join a group: the service is asked about them if they are all. */
    fresh: new Array<DeclaredRow>(),
    joining: new Array<DeclaredRow>(),
    rows: new Array<string>(),
  };
  for (const row of rows) {
    // New rows need no hashes.
    const match = matcher.isNew ? undefined : matcher.match(row);
    if (match?.refused !== undefined) {
      plan.refused.add(textOf(match.refused));
      continue;
    }
    const values = match?.values ?? row.values;
    count(plan, values, match?.known !== undefined);
    if (match?.known === undefined) {
      plan.added += 1;
      if (plan.added <= MAX_LOOKED_UP + 1) plan.fresh.push(row);
    } else {
      const { known, entry, rejoins } = match;
      const others = (['email', 'userId'] as const).filter((name) => known[name] !== entry[name]);
      if (others.some((name) => known[name] !== undefined && entry[name] !== undefined)) plan.moved += 1;
      for (const name of known.values.keys()) if (!entry.values.has(name)) plan.emptied.add(name);
      const names = [...others, ...Object.keys(values)];
      if (known.isGone === true) plan.gone += 1;
      if (names.length > 0) plan.changed += 1;
      else plan.unchanged += 1;
      if (names.length > 0 && plan.rows.length < MAX_ROWS)
        plan.rows.push(`${row.location}: ${names.join(', ')}`);
      if (joinsOf(values).length > rejoins.length) plan.joining.push(row);
    }
  }
  return { ...plan, removedRows: matcher.notListedAnyMore };
}

function count(plan: Omit<Plan, never>, values: Values, isKnown: boolean): void {
  let isLosing = values['subscribed'] === false;
  if (isLosing) plan.unsubscribed += 1;
  for (const [name, value] of Object.entries(values)) {
    const group = groupOf(name);
    if (group !== undefined) (value === true ? plan.joins : plan.leaves).add(group);
    else if (value === null) plan.clears.add(name);
    if (isKnown && (value === null || (group !== undefined && value === false))) isLosing = true;
  }
  if (isLosing) plan.losing += 1;
}

/** What the service has of new rows and of rows that join a group; nothing where these are too many. */
async function lookUpNew({ fresh, joining }: Plan, run: Run) {
  const [overwrites, notJoined] = [new Counts(), new Counts()];
  const rows = [...fresh, ...joining];
  if (rows.length === 0 || rows.length > MAX_LOOKED_UP) return { found: undefined, overwrites, notJoined };
  let [exist, missing] = [0, 0];
  const look = async (row: DeclaredRow): Promise<{ readonly error?: undefined }> => {
    const { kind, contact } = {
      contact: undefined,
      ...(await resolve(row, run.client, { hasUserId: true })),
    };
    const isNew = fresh.includes(row);
    if (isNew && kind === 'nobody') missing += 1;
    if (contact === undefined) return {};
    if (isNew) exist += 1;
    for (const group of joinsOf(row.values)) if (mayHaveLeft(contact, group)) notJoined.add(group);
    for (const [name, value] of isNew ? Object.entries(row.values) : []) {
      const current = currentValue(contact, name);
      if (!isConsent(name) && current !== null && current !== value) overwrites.add(name);
    }
    return {};
  };
  const done = await run.known.forCheck('Which contacts exist', async () => workOn(rows, look, run.host));
  return { found: done === undefined ? undefined : { exist, missing }, overwrites, notJoined };
}

function assertFewChanges(plan: Plan, rows: number, inputs: Inputs): void {
  const { unsubscribed, moved, changed, unchanged, leaves, clears } = plan;
  const known = changed + unchanged;
  if (rows >= 10 && moved > known / 2) throw new ResourceError(problem('contacts.shifted', { moved, known }));
  const losing = inputs.unsubscribed === true ? 0 : plan.losing;
  const limit = inputs.maxRemovals ?? Math.max(10, Math.floor(rows / 10));
  if (losing <= limit) return;
  const kinds = [
    ...(unsubscribed > 0 ? [`${unsubscribed} unsubscribed`] : []),
    ...[...leaves].map(([group, number]) => `${number} leave group '${group}'`),
    ...[...clears].map(([name, number]) => `${number} lose ${name}`),
  ];
  throw new ResourceError(problem('contacts.removals', { kinds, count: losing, limit }));
}

/** Throws ResourceError where a file ended in a line end before, and does not now. */
export function assertNotCutOff({ reading, rows }: List, before: Outputs, inputs: Inputs): void {
  if (reading.endsInLineEnd !== false || before.endsInLineEnd !== true || before.file !== inputs.file) return;
  const location = rows.at(rows.length - 1)?.location ?? 'a line';
  throw new ResourceError(problem('contacts.cutOff', { source: nameOfSource(inputs), location }));
}
