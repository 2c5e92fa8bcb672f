import { contactFieldEntries, isRecord } from 'audience-core/internal';
import type { Contact } from 'audience-core';
import { groupName, groupOf, type Value } from '../../contact-file/fields.js';
import { clearOf, FIELDS, propertiesOf } from './fields.js';
import type { Raw } from '../raw.js';

export { groupName, groupOf, type Value } from '../../contact-file/fields.js';

/** Declared values without identifiers: `firstName`, `planName`, `subscriptionGroups.<id>`. */
export type Values = Readonly<Record<string, Value>>;

export type Changes = Readonly<Record<string, Value | Record<string, boolean>>>;

/** The declared values of checked fields, by flat name. */
export function valuesOf(fields: Raw): Values {
  const values: [string, Value][] = [];
  const add = (name: string, value: unknown): void => {
    if (isValue(value)) values.push([name, value]);
  };
  for (const [name, { type, isIdentifier }] of contactFieldEntries) {
    if (!FIELDS.has(name) || isIdentifier === true) continue;
    const value = fields[name];
    if (type !== 'groups') add(name, value);
    else if (isRecord(value)) for (const [id, isIn] of Object.entries(value)) add(groupName(id), isIn);
  }
  for (const [name, value] of Object.entries(propertiesOf(fields))) add(name, value);
  for (const name of clearOf(fields)) add(name, null);
  return Object.fromEntries(values);
}

export function isValue(value: unknown): value is Value {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** @param except groups that are left out. */
export function changesOf(values: Values, except: readonly string[] = []): Changes {
  const groups: Record<string, boolean> = {};
  const changes: [string, Value | Record<string, boolean>][] = [];
  for (const [name, value] of Object.entries(values)) {
    const group = groupOf(name);
    if (group === undefined) changes.push([name, value]);
    else if (!except.includes(group)) {
      if (Object.keys(groups).length === 0) changes.push(['subscriptionGroups', groups]);
      groups[group] = value === true;
    }
  }
  return Object.fromEntries(changes);
}

/** The values that `from` does not have. */
export function differing(values: Values, from: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !Object.hasOwn(from, name) || from[name] !== value),
  );
}

/** What contacts decide for themselves: it is never drift. */
export function isConsent(name: string): boolean {
  return name === 'subscribed' || groupOf(name) !== undefined;
}

export function joinsOf(values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === true ? (groupOf(name) ?? []) : []));
}

/** What values change in a contact, by name. Where its record says `false` to a group or to all mail, it may have left. */
export function effectsOn(contact: Contact, values: Values) {
  const isOut = (group: string): boolean =>
    contact.subscribed === false || contact.subscriptionGroups?.[group] === false;
  const sets = Object.keys(values).filter(
    (name) => !isConsent(name) && currentValue(contact, name) !== values[name],
  );
  return {
    sets,
    overwrites: sets.filter((name) => currentValue(contact, name) !== null),
    joins: joinsOf(values).filter((group) => !isOut(group) && contact.subscriptionGroups?.[group] !== true),
    notJoined: joinsOf(values).filter(isOut),
  };
}

/** The contact's value of a field or a property, or `null`. */
export function currentValue(contact: Contact, name: string): unknown {
  return (Object.hasOwn(contact, name) ? contact[name] : undefined) ?? null;
}
