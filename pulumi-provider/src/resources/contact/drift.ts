import { isRecord } from 'audience-core/internal';
import type { Contact } from 'audience-core';
import { declaredFields, fieldChanges, FIELDS } from './fields.js';
import type { Changes } from './fields.js';
import { asDeclared, stateOf } from './state.js';
import type { State } from './state.js';
import { textOf } from '../raw.js';
import type { Raw } from '../raw.js';
import type { Identity } from '../people.js';

/** Fields to clear: those that still have the declared value, and those that an unclear write of ours may have set. */
export function clearedOf(raw: Raw, contact: Contact): Changes {
  const ours = doubtedFields(raw).filter(
    (name) =>
      FIELDS.get(name)?.clearable !== false &&
      (contact[name] ?? null) !== null &&
      isAttempted(raw, contact, name),
  );
  return {
    ...without(setByOthers(raw, contact), fieldChanges(stateOf(raw), {})),
    ...Object.fromEntries(ours.map((name) => [name, null])),
  };
}

/** Fields of which somebody else has set another value than the one that was written. */
function setByOthers(raw: Raw, contact: Contact): string[] {
  const state = stateOf(raw);
  return [...namesIn(raw['setByOthers']), ...Object.keys(fieldChanges(asDeclared(state, contact), state))];
}

/** Fields that changes clear as they are no longer declared. */
export function clearedAsDropped(changes: Changes, after: State): string[] {
  const declared = declaredFields(after);
  return Object.keys(changes).filter((name) => changes[name] === null && !Object.hasOwn(declared, name));
}

/** Those that would be cleared as they are no longer declared, though others, and no unclear write of ours, set them. */
export function leftToOthers(raw: Raw, changes: Changes, after: State, contact: Contact): string[] {
  const cleared = clearedAsDropped(changes, after);
  const was = declaredFields(stateOf(raw));
  const never = doubtedFields(raw).filter((name) => !Object.hasOwn(was, name));
  return [...new Set([...setByOthers(raw, contact), ...never])].filter(
    (name) => cleared.includes(name) && (contact[name] ?? null) !== null && !isAttempted(raw, contact, name),
  );
}

/** The changes but those of these fields. */
export function without(names: readonly string[], changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !names.includes(name)));
}

/** Names in state, as `setByOthers`: fields of which a refresh has found another value than the one that was written. */
export function namesIn(names: unknown): readonly string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** What unclear writes of earlier runs may have set, by field. */
export type Doubted = Readonly<Record<string, readonly unknown[]>>;

/** The same of a state. */
export function doubtedIn({ doubted }: Raw): Doubted {
  const entries = Object.entries(isRecord(doubted) ? doubted : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1])));
}

function attemptsAt(doubted: Doubted, name: string): readonly unknown[] {
  return Object.hasOwn(doubted, name) ? (doubted[name] ?? []) : [];
}

/** With what another write may have set. */
export function withDoubts(doubted: Doubted, changes: Raw): Doubted {
  const more = Object.entries(changes).map(([name, value]): [string, unknown[]] => [
    name,
    [...attemptsAt(doubted, name), value],
  ]);
  return { ...doubted, ...Object.fromEntries(more) };
}

/** The identifiers that unclear writes may have set: any of them may be what leads to the contact, the last one first. */
export function attemptedIn(raw: Raw): Identity[] {
  const { email = [], userId = [] } = doubtedIn(raw);
  return [
    ...email.map((one): Identity => ({ email: textOf(one) })),
    ...userId.map((one): Identity => ({ userId: textOf(one) })),
  ].reverse();
}

/** Whether a contact has a value that an unclear write may have set. */
export function isAttempted(raw: Raw, contact: Contact, name: string): boolean {
  return attemptsAt(doubtedIn(raw), name).includes(contact[name] ?? null);
}

/** The fields of them; a contact's identifiers are brought to what is declared by themselves. */
function doubtedFields(raw: Raw): string[] {
  return Object.keys(doubtedIn(raw)).filter((name) => FIELDS.get(name)?.isIdentifier !== true);
}

/** What is declared now of fields, beside the identifiers, that an unclear write may have changed. */
export function doubtedChanges(raw: Raw, after: State): Changes {
  const declared = declaredFields(after);
  return Object.fromEntries(
    doubtedFields(raw).flatMap((name): [string, Changes[string]][] => {
      const own = Object.hasOwn(declared, name) ? declared[name] : undefined;
      const value = own ?? (FIELDS.get(name)?.clearable === false ? undefined : null);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
