import { contactFieldEntries, isRecord } from 'audience-core/internal';
import type { Contact } from 'audience-core';
import { clearOf, FIELDS, propertiesOf } from './fields.js';
import type { Raw } from '../raw.js';

/** Value of a field or a property on the wire; `null` clears it. Dates are Unix seconds. */
export type Value = string | number | boolean | null;

/** What is declared of a contact beside its identifiers: `firstName`, `planName`, `subscriptionGroups.<id>`. */
export type Values = Readonly<Record<string, Value>>;

/** Fields to send, as the client takes them. */
export type Changes = Readonly<Record<string, Value | Record<string, boolean>>>;

const GROUP = 'subscriptionGroups.';

/** The group that a name is about, where it is about one. */
export function groupOf(name: string): string | undefined {
  return name.startsWith(GROUP) ? name.slice(GROUP.length) : undefined;
}

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
    else if (isRecord(value)) for (const [id, isIn] of Object.entries(value)) add(GROUP + id, isIn);
  }
  for (const [name, value] of Object.entries(propertiesOf(fields))) add(name, value);
  for (const name of clearOf(fields)) add(name, null);
  return Object.fromEntries(values);
}

/** Whether something is a value of the wire. */
export function isValue(value: unknown): value is Value {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Values as a request has them. */
export function changesOf(values: Values): Changes {
  const groups: Record<string, boolean> = {};
  const changes: [string, Value | Record<string, boolean>][] = [];
  for (const [name, value] of Object.entries(values)) {
    const group = groupOf(name);
    if (group === undefined) changes.push([name, value]);
    else {
      if (Object.keys(groups).length === 0) changes.push(['subscriptionGroups', groups]);
      groups[group] = value === true;
    }
  }
  return Object.fromEntries(changes);
}

/** The values of which others have not the same: `null` and absent are the same thing. */
export function differing(values: Values, from: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !Object.hasOwn(from, name) || from[name] !== value),
  );
}

/**
 * Whether a contact has a declared value. It counts as having a membership that is declared `true`: who has left a
 * group is not brought back.
 */
export function hasValue(contact: Contact, name: string, value: Value): boolean {
  const group = groupOf(name);
  if (group !== undefined) return value === true || contact.subscriptionGroups?.[group] !== true;
  if (name === 'subscribed') return contact.subscribed === false;
  return currentValue(contact, name) === value;
}

/** The value that a contact has of a field or a property; `null` where it has none. */
export function currentValue(contact: Contact, name: string): unknown {
  return (Object.hasOwn(contact, name) ? contact[name] : undefined) ?? null;
}
