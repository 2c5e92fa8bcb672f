import { ResourceError } from '../errors.js';
import { groupOf } from '../contact-record/values.js';
import type { Values } from '../contact-record/values.js';
import type { Run } from '../run.js';
import { contactsOf, counted, digits, limited } from '../words.js';
import type { Inputs } from './inputs.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import { nameOfSource } from './file/options.js';
import type { Before, Outputs } from './state.js';

type Plan = ReturnType<typeof planOf>;

/** Reports what a run will do. Throws ResourceError where it would change too many contacts. */
export function reportPlan(list: List, before: Before, inputs: Inputs, run: Run): void {
  const plan = planOf(list, new Matcher(before, list));
  assertFewChanges(plan, list.rows.length, inputs.maxUnsubscribes);
  run.host.reporter.info(describePlan(plan, list, inputs, before.isOther));
}

const NEW = { kind: 'new' } as const;

function planOf({ rows }: List, matcher: Matcher) {
  const [refused, emptied, effects] = [new Counts(), new Counts(), new Counts()];
  let [added, changed, unchanged, unsubscribed, moved] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    // New rows need no hashes.
    const match = matcher.isNew ? NEW : matcher.match(row);
    if (match.kind === 'refused') {
      refused.add(match.reason);
      continue;
    }
    const values = match.kind === 'new' ? row.values : match.values;
    if (match.kind === 'new') added += 1;
    else {
      const { known, entry } = match;
      const others = (['email', 'userId'] as const).filter((name) => known[name] !== entry[name]);
      if (others.some((name) => known[name] !== undefined && entry[name] !== undefined)) moved += 1;
      for (const name of known.values.keys()) if (!entry.values.has(name)) emptied.add(name);
      if (Object.keys(values).length > 0 || others.length > 0) changed += 1;
      else unchanged += 1;
    }
    if (values['subscribed'] === false) unsubscribed += 1;
    for (const effect of effectsOf(values)) effects.add(effect);
  }
  const { notListedAnyMore } = matcher;
  return { added, changed, unchanged, refused, notListedAnyMore, moved, emptied, unsubscribed, effects };
}

class Counts extends Map<string, number> {
  add(name: string): void {
    this.set(name, (this.get(name) ?? 0) + 1);
  }
}

function effectsOf(values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const group = groupOf(name);
    if (group !== undefined && value === true)
      return [`added to group '${group}', including contacts who unsubscribed from it`];
    if (group !== undefined) return [`removed from group '${group}'`];
    return value === null ? [`lose ${name}`] : [];
  });
}

function assertFewChanges(
  { unsubscribed, moved, changed, unchanged }: Plan,
  rows: number,
  most = Math.max(10, Math.floor(rows / 10)),
): void {
  if (rows >= 10 && moved > (changed + unchanged) / 2) {
    throw new ResourceError(
      `${digits(moved)} of ${digits(changed + unchanged)} known contacts would get another email or userId; the limit is half per run. Did columns or rows shift?`,
    );
  }
  if (unsubscribed <= most) return;
  throw new ResourceError(
    `${contactsOf(unsubscribed)} would be unsubscribed for good; the limit is ${digits(most)} per run. If this is meant, set maxUnsubscribes: ${unsubscribed}.`,
  );
}

/** Throws ResourceError where a file ended in a line end before, and does not now. */
export function assertNotCutOff({ reading, rows }: List, before: Outputs, inputs: Inputs): void {
  if (reading.endsInLineEnd !== false || before.endsInLineEnd !== true || before.file !== inputs.file) return;
  throw new ResourceError(
    `${nameOfSource(inputs)} ends within ${rows.at(-1)?.location ?? 'a line'}, and ended with a line end before. Was it cut off? If it is complete, end its last line.`,
  );
}

function describePlan(plan: Plan, list: List, inputs: Inputs, isFirst: boolean): string {
  const { added, changed, unchanged, refused, notListedAnyMore, emptied, unsubscribed, effects } = plan;
  const some = (number: number, text: string): string[] => (number > 0 ? [`${digits(number)} ${text}`] : []);
  const numbers = [...some(added, 'new'), ...some(changed, 'changed'), ...some(unchanged, 'unchanged')];
  const kept = [
    ...some(notListedAnyMore, `row${notListedAnyMore === 1 ? '' : 's'} no longer in the list`),
    ...[...emptied].flatMap(([name, number]) => some(number, `${name} emptied`)),
  ];
  const done = [
    ...some(unsubscribed, `${unsubscribed === 1 ? 'is' : 'are'} unsubscribed for good`),
    ...[...effects].flatMap(([effect, number]) => some(number, effect)),
  ];
  const reasons = [...refused].map(
    ([reason, number]) => `${counted(number, 'row')} cannot be written: ${reason}.`,
  );
  const overwritten = isFirst
    ? 'Existing contacts will be overwritten with the declared values. Preview does not check which ones exist.'
    : 'New rows overwrite contacts that exist.';
  const event = inputs.createWithEvent?.eventName;
  const created =
    event === undefined ? '' : ` Contacts that do not exist are created by the event '${event}'.`;
  return [
    `${list.reading.resource.label} (${nameOfSource(inputs)}): ${numbers.join(', ') || '0 unchanged'}.`,
    ...list.reading.notes(),
    ...(kept.length > 0 ? [`${limited(kept).join(', ')}: values kept.`] : []),
    ...(done.length > 0 ? [`Of these, ${limited(done).join('; ')}.`] : []),
    ...limited(reasons),
    ...(added > 0 ? [`${overwritten}${created}`] : []),
  ].join('\n');
}
