import { ResourceError } from '../errors.js';
import { groupOf } from '../people/values.js';
import type { Values } from '../people/values.js';
import type { CreationEvent } from '../people/creation-event.js';
import { contactsOf, counted, digits, limited } from '../words.js';
import type { Inputs } from './inputs.js';
import type { List } from './list.js';
import type { Matcher } from './match.js';
import { nameOfSource } from './rows.js';
import type { Entry } from './state.js';

/** What a run will do with a list, as far as state tells. */
export interface Plan {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rows that cannot be written yet, by their reasons. */
  readonly refused: ReadonlyMap<string, number>;
  /** Rows of the last run that are not in the list any more. */
  readonly notListedAnyMore: number;
  /** How many known contacts get another email or userId. */
  readonly moved: number;
  /** How many rows declare no longer a value that they had, by field. */
  readonly emptied: ReadonlyMap<string, number>;
  /** How many contacts are unsubscribed. */
  readonly unsubscribed: number;
  /** How many contacts lose a value, or leave or join a group, in words. */
  readonly effects: ReadonlyMap<string, number>;
}

const NEW = { kind: 'new' } as const;

/** Compares a list with its state. */
export function planOf({ rows }: List, matcher: Matcher): Plan {
  const [refused, emptied, effects] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  const found = new Set<Entry>(matcher.skipped);
  let [added, changed, unchanged, unsubscribed, moved] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    // Without entries every row is new, and needs no hashes.
    const match = matcher.entries.all.length === 0 ? NEW : matcher.match(row);
    if (match.kind === 'refused') {
      add(refused, match.reason);
      for (const entry of match.keep) found.add(entry);
      continue;
    }
    const values = match.kind === 'new' ? row.values : match.values;
    if (match.kind === 'new') added += 1;
    else {
      found.add(match.known);
      if (isRenamed(match.known, match.entry)) moved += 1;
      for (const name of match.known.values.keys()) if (!match.entry.values.has(name)) add(emptied, name);
      if (Object.keys(values).length > 0 || isMoved(match.known, match.entry)) changed += 1;
      else unchanged += 1;
    }
    if (values['subscribed'] === false) unsubscribed += 1;
    for (const effect of effectsOf(values)) add(effects, effect);
  }
  const notListedAnyMore = matcher.entries.all.length - found.size;
  return { added, changed, unchanged, refused, notListedAnyMore, moved, emptied, unsubscribed, effects };
}

function isMoved(known: Entry, entry: Entry): boolean {
  return known.email !== entry.email || known.userId !== entry.userId;
}

function isRenamed(known: Entry, entry: Entry): boolean {
  return (['email', 'userId'] as const).some(
    (name) => known[name] !== undefined && entry[name] !== undefined && known[name] !== entry[name],
  );
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function effectsOf(values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const group = groupOf(name);
    if (group !== undefined) return [value === true ? `join group '${group}'` : `leave group '${group}'`];
    return value === null ? [`lose ${name}`] : [];
  });
}

/** From this number of rows on, most of them do not change their identifiers at once. */
const MANY = 10;

/** @throws ResourceError where more contacts would be unsubscribed, or get another email or userId, than may be. */
export function assertFewChanges(
  { unsubscribed, moved, changed, unchanged }: Plan,
  { rows }: List,
  { maxUnsubscribes }: Inputs,
): void {
  if (rows.length >= MANY && moved > (changed + unchanged) / 2) {
    throw new ResourceError(
      `${digits(moved)} of ${digits(changed + unchanged)} known contacts would get another email or userId, and one run may change half. Did columns or rows shift?`,
    );
  }
  const most = maxUnsubscribes ?? Math.max(10, Math.floor(rows.length / 10));
  if (unsubscribed <= most) return;
  throw new ResourceError(
    `${contactsOf(unsubscribed)} would be unsubscribed for good, and one run may unsubscribe ${digits(most)}. If this is meant, set maxUnsubscribes: ${unsubscribed}.`,
  );
}

/** @throws ResourceError where a file ends within a line that ended with a line end in the last run. */
export function assertNotCutOff(
  { endsInLineEnd, rows }: List,
  before: { readonly file?: string | undefined; readonly endsInLineEnd?: boolean | undefined },
  { file }: Inputs,
): void {
  if (endsInLineEnd !== false || before.endsInLineEnd !== true || before.file !== file) return;
  throw new ResourceError(
    `${nameOfSource({ file })} ends within ${rows.at(-1)?.location ?? 'a line'}, and ended with a line end before. Was it cut off? If it is complete, end its last line.`,
  );
}

/** The plan for people, in a few lines. */
export function describePlan(
  plan: Plan,
  { notes }: List,
  label: string,
  source: string,
  event: CreationEvent | undefined,
  isFirst: boolean,
): string {
  const { added, changed, unchanged, refused, notListedAnyMore, emptied, unsubscribed, effects } = plan;
  const numbers = [
    ...(added > 0 ? [`${digits(added)} new`] : []),
    ...(changed > 0 ? [`${digits(changed)} changed`] : []),
    ...(unchanged > 0 || added + changed === 0 ? [`${digits(unchanged)} unchanged`] : []),
  ];
  const kept = [
    ...(notListedAnyMore > 0 ? [`${counted(notListedAnyMore, 'row')} no longer in the list`] : []),
    ...[...emptied].map(([name, number]) => `${digits(number)} ${name} emptied`),
  ];
  const done = [
    ...(unsubscribed > 0
      ? [`${digits(unsubscribed)} ${unsubscribed === 1 ? 'is' : 'are'} unsubscribed for good`]
      : []),
    ...[...effects].map(
      ([effect, number]) =>
        `${digits(number)} ${effect}${effect.startsWith('join') ? ', including contacts who left it' : ''}`,
    ),
  ];
  const lines = [
    `${label} (${source}): ${numbers.join(', ')}.`,
    ...notes,
    ...(kept.length > 0 ? [`${limited(kept).join(', ')}: values kept.`] : []),
    ...(done.length > 0 ? [`Of these, ${limited(done).join('; ')}.`] : []),
    ...limited(
      [...refused].map(([reason, number]) => `${counted(number, 'row')} cannot be written: ${reason}.`),
    ),
    ...(added > 0 ? [ofNew(event, isFirst)] : []),
  ];
  return lines.join('\n');
}

function ofNew(event: CreationEvent | undefined, isFirst: boolean): string {
  const overwritten = isFirst
    ? 'Existing contacts will be overwritten with the declared values. Preview does not check which ones exist.'
    : 'New rows overwrite contacts that exist.';
  return event === undefined
    ? overwritten
    : `${overwritten} Contacts that do not exist are created by the event '${event.eventName}'.`;
}
