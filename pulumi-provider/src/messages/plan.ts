import { fill, listed } from 'audience-core/internal';
import { limited, wordFact } from './words.js';

/** Rows that were never met, and that the list does not create. */
export const NOBODY =
  '{count:contact} {count?does/do} not exist and {count?is/are} not created: {count?it wants/they want} no mail, or the list has no createWithEvent.';

/** What a plan counts, by kind; `{name}` is a field, a group, an event or a reason. */
const PLAN = {
  new: '{count} new',
  changed: '{count} changed',
  unchanged: '{count} unchanged',
  exist: '{count} {count?exists/exist}',
  created: "{count} {count?gets/get} the event '{name}'",
  notLookedUp: '{count} {count?was/were} not looked up',
  overwritten: '{name} ({count})',
  removed: '{count:row} no longer in the list',
  emptied: '{count} {name} emptied',
  unsubscribed: '{count} {count?is/are} unsubscribed',
  joins: "{count} {count?joins/join} group '{name}'",
  leaves: "{count} {count?leaves/leave} group '{name}'",
  loses: '{count} {count?loses/lose} {name}',
  nobody: NOBODY,
  notCreated:
    "{count:contact} {count?does/do} not exist and {count?is/are} not created: {name} says 'no mail'.",
  notJoined: "{count:contact} may have left group '{name}' or unsubscribed: not added to it.",
  refused: '{count:row} cannot be written: {name}.',
} as const;
export type PlanKind = keyof typeof PLAN;

/** What follows where the service was not asked: there were too many contacts, or no time. */
const NOT_LOOKED_UP =
  'Of those that were not looked up, contacts that exist are overwritten. The others get the event of the list, if it has one and the row wants mail.';

/** Names with their numbers. */
export type Counted = ReadonlyMap<string, number>;

/** Numbers of contacts by kind. */
export type PlanCounts = ReadonlyMap<PlanKind, Counted>;

/** What a run of a list will do. */
export interface PlanFacts {
  readonly list: string;
  readonly source: string;
  readonly notes: readonly string[];
  readonly counts: PlanCounts;
  /** The first changed rows with their fields. */
  readonly rows: readonly string[];
  /** Rows whose contacts are gone. */
  readonly gone: readonly string[];
}

export function planTexts(counts: PlanCounts, ...kinds: PlanKind[]): string[] {
  return kinds.flatMap((kind) =>
    [...(counts.get(kind) ?? [])].map(([name, count]) => fill(PLAN[kind], { name, count }, wordFact)),
  );
}

export function planText({ counts, rows, gone, ...plan }: PlanFacts): string {
  const of = (...kinds: PlanKind[]): string[] => planTexts(counts, ...kinds);
  const line = (start: string, texts: readonly string[], end = '.', between = ', '): string[] =>
    texts.length === 0 ? [] : [`${start}${limited(texts).join(between)}${end}`];
  const numberOf = (kind: PlanKind): number => counts.get(kind)?.get('') ?? 0;
  return [
    `${plan.list} (${plan.source}): ${of('new', 'changed', 'unchanged').join(', ') || '0 unchanged'}.`,
    ...plan.notes,
    ...line('Contacts of these: ', of('exist', 'created', 'notLookedUp')),
    ...(counts.has('notLookedUp') ? [NOT_LOOKED_UP] : []),
    ...line('Overwritten: ', of('overwritten')),
    ...(rows.length > 0 ? [`Changed: ${limited(rows, rows.length, numberOf('changed')).join('; ')}.`] : []),
    ...line('', of('removed', 'emptied'), ': values kept.'),
    ...line('Of these, ', of('unsubscribed', 'joins', 'leaves', 'loses'), '.', '; '),
    ...limited(of('notJoined')),
    ...(gone.length > 0 ? [goneText({ rows: gone, source: plan.source })] : []),
    ...limited(of('refused')),
    ...of('nobody'),
    ...limited(of('notCreated')),
  ].join('\n');
}

/** Rows of a list, which a sentence names. */
export interface RowsOf {
  readonly rows: readonly string[];
  readonly source: string;
}

/** Rows of known contacts that got a 404. */
export function goneText({ rows, source }: RowsOf): string {
  const text =
    '{names} of {source} no longer {count?exists/exist} in the service, and {count?is/are} not created again, unless a new list does it. Remove {count?this row/these rows}, unless {count?it unsubscribes/they unsubscribe} the contact.';
  return fill(text, { names: listed(rows, String, 10), source, count: rows.length });
}
