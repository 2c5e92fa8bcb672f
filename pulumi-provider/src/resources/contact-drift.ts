import type { Contact } from 'audience-core';
import { declaredFields, fieldChanges, FIELDS } from './contact-fields.js';
import type { Changes } from './contact-fields.js';
import { asDeclared, stateOf } from './contact-state.js';
import type { State } from './contact-state.js';
import type { Raw } from './host.js';

/** What is declared and still as declared: a value that somebody else has set since is not ours to clear. */
export function clearedOf(raw: Raw, contact: Contact): Changes {
  return without(setByOthers(raw, contact), fieldChanges(stateOf(raw), {}));
}

/** Fields of which somebody else has set another value than the one that was written. */
function setByOthers(raw: Raw, contact: Contact): string[] {
  const state = stateOf(raw);
  return [...namesIn(raw['setByOthers']), ...Object.keys(fieldChanges(asDeclared(state, contact), state))];
}

/** Those of them that would be cleared as they are no longer declared, unless an unclear write of ours may be theirs. */
export function leftToOthers(raw: Raw, changes: Changes, after: State, contact: Contact): string[] {
  const declared = declaredFields(after);
  const isCleared = (name: string): boolean => changes[name] === null && !(name in declared);
  const hasValue = (name: string): boolean => (contact[name] ?? null) !== null;
  return setByOthers(raw, contact).filter(
    (name) => isCleared(name) && hasValue(name) && !namesIn(raw['doubted']).includes(name),
  );
}

/** The changes but those of these fields. */
export function without(names: readonly string[], changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !names.includes(name)));
}

/**
 * Names of fields in state: `setByOthers`, of which a refresh has found another value than the one that was written,
 * and `doubted`, which an unclear write may have changed.
 */
export function namesIn(names: unknown): readonly string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** What is declared now of fields that an unclear write may have changed. */
export function doubtedChanges(raw: Raw, after: State): Changes {
  const declared = declaredFields(after);
  return Object.fromEntries(
    namesIn(raw['doubted']).flatMap((name): [string, Changes[string]][] => {
      const value = declared[name] ?? (FIELDS.get(name)?.clearable === false ? undefined : null);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
