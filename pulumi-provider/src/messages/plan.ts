import { fill, limited } from './words.js';

/** How many new rows a plan looks up, and how many changed rows it names. */
export const MAX_LOOKED_UP = 200;
export const MAX_ROWS = 10;

export const NOT_JOINED =
  "{count:contact} {count?is/are} not in group '{group}' and may have left it: not added. To add exactly {count?this one/these}, run AUDIENCE_REJOIN={code} pulumi up.";
const MAY_HAVE_LEFT =
  "{count:contact} {count?is/are} not in group '{group}' and may have left it: not added. 'pulumi up' prints the code that adds {count?it/them}.";

/** What a plan counts, by kind; `{name}` is a field, a group, an event or a reason. */
const PLAN = {
  new: '{count} new',
  changed: '{count} changed',
  unchanged: '{count} unchanged',
  missing: '{count} do not exist',
  created: "{count} do not exist and get the event '{name}'",
  nothing: "{count} declared 'subscribed: false' do not exist: nothing to do",
  exist: '{count} exist',
  overwritten: '{name} ({count})',
  removed: '{count:row} no longer in the list',
  emptied: '{count} {name} emptied',
  unsubscribed: '{count} {count?is/are} unsubscribed',
  joins: "{count} {count?joins/join} group '{name}'",
  leaves: "{count} {count?leaves/leave} group '{name}'",
  loses: '{count} {count?loses/lose} {name}',
  gone: '{count:contact} no longer {count?exists/exist}: not created again.',
  refused: '{count:row} cannot be written: {name}.',
} as const;
export type PlanKind = keyof typeof PLAN | 'notJoined';

/** Names with their numbers. */
export type Counted = ReadonlyMap<string, number>;

/** Numbers of contacts by kind. */
export type PlanCounts = ReadonlyMap<PlanKind, Counted>;

/** What a run of a list will do. */
export interface PlanFacts {
  readonly list: string;
  readonly source: string;
  readonly notes: readonly string[];
  readonly event: string | undefined;
  readonly counts: PlanCounts;
  /** The first changed rows with their fields. */
  readonly rows: readonly string[];
  /** Whether the service was asked which new rows exist. */
  readonly isLookedUp: boolean;
}

export function planTexts(counts: PlanCounts, ...kinds: (keyof typeof PLAN)[]): string[] {
  return kinds.flatMap((kind) =>
    [...(counts.get(kind) ?? [])].map(([name, count]) => fill(PLAN[kind], { name, count })),
  );
}

export function planText({ counts, event, rows, ...plan }: PlanFacts): string {
  const of = (...kinds: (keyof typeof PLAN)[]): string[] => planTexts(counts, ...kinds);
  const line = (start: string, texts: readonly string[], end = '.', between = ', '): string[] =>
    texts.length === 0 ? [] : [`${start}${limited(texts).join(between)}${end}`];
  const changed = counts.get('changed')?.get('');
  const except = counts.has('unsubscribed') ? ", but not those declared 'subscribed: false'" : '';
  const others = event === undefined ? '' : `, and the others get the event '${event}'${except}`;
  const unknown = `Preview does not look up more than ${MAX_LOOKED_UP} contacts: new rows overwrite contacts that exist${others}.`;
  return [
    `${plan.list} (${plan.source}): ${of('new', 'changed', 'unchanged').join(', ') || '0 unchanged'}.`,
    ...plan.notes,
    ...(counts.has('new') && !plan.isLookedUp ? [unknown] : []),
    ...(plan.isLookedUp ? line('New contacts: ', of('missing', 'created', 'nothing', 'exist')) : []),
    ...(plan.isLookedUp ? line('Overwritten: ', of('overwritten')) : []),
    ...(rows.length > 0 ? [`Changed: ${limited(rows, MAX_ROWS, changed).join('; ')}.`] : []),
    ...line('', of('removed', 'emptied'), ': values kept.'),
    ...line('Of these, ', of('unsubscribed', 'joins', 'leaves', 'loses'), '.', '; '),
    ...limited(
      [...(counts.get('notJoined') ?? [])].map(([group, count]) => fill(MAY_HAVE_LEFT, { group, count })),
    ),
    ...of('gone'),
    ...limited(of('refused')),
  ].join('\n');
}
