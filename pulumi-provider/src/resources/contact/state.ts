import { isDeepStrictEqual } from 'node:util';
import { decodeValue, isRecord } from 'audience-core/internal';
import type { Contact, ContactProperty } from 'audience-core';
import * as z from 'zod/mini';
import { eventSchema } from '../people/creation-event.js';
import {
  clearOf,
  encodeProgramValue,
  FIELDS,
  IDENTIFIERS,
  propertiesOf,
  recordShape,
} from '../people/fields.js';
import { isEmail } from '../people/identity.js';
import type { Identity } from '../people/identity.js';
import { currentValue, groupOf, hasValue, valuesOf } from '../people/values.js';
import type { Values } from '../people/values.js';
import { textOf } from '../raw.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';

/** Schema of the inputs as they are kept. */
export const inputsSchema = z.object({ ...recordShape, createWithEvent: z.optional(eventSchema) });

/** Names of all inputs. */
export const INPUT_NAMES: readonly string[] = Object.keys(inputsSchema.shape);

/** State of a contact, as it is compared: what is declared, as it was last known to be. */
export interface State {
  readonly identity: Identity;
  readonly values: Values;
}

/** Reads inputs or outputs. */
export function stateOf(raw: Raw): State {
  return { identity: { email: textOf(raw['email']), userId: textOf(raw['userId']) }, values: valuesOf(raw) };
}

/** The inputs with Unix seconds for dates that are text: state and comparison know one form only. */
export async function withDatesOnWire(inputs: Raw, { properties: known }: Run): Promise<Raw> {
  const properties = propertiesOf(inputs);
  const texts = Object.keys(properties).filter((name) => typeof properties[name] === 'string');
  if (texts.length === 0) return inputs;
  const { types } = await known.known(texts);
  const encoded = texts.flatMap((name): [string, unknown][] => {
    const read = types.get(name) === 'date' ? encodeProgramValue('date', properties[name]) : undefined;
    return read?.ok === true ? [[name, read.value]] : [];
  });
  return { ...inputs, properties: { ...properties, ...Object.fromEntries(encoded) } };
}

/** A state with the service's values of what it declares. */
export function withCurrent(state: Raw, contact: Contact): Raw {
  return changed(state, (name, declared) => {
    if (groupOf(name) !== undefined) return declared === true || !hasValue(contact, name, false);
    if (name === 'email' && isEmail(contact.email, textOf(declared) ?? '')) return declared;
    if (name === 'subscribed') return contact.subscribed === false ? declared : undefined;
    const current = currentValue(contact, name);
    return current === declared ? declared : (current ?? undefined);
  });
}

/** A state without some of what it declares, by flat name. */
export function withoutNames(state: Raw, names: readonly string[]): Raw {
  return changed(state, (name, declared) => (names.includes(name) ? undefined : declared));
}

/** A state with each declared value changed; `undefined` takes it out. */
function changed(state: Raw, change: (flatName: string, declared: unknown) => unknown): Raw {
  const inside = (fields: Raw, prefix = ''): Raw =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, declared]): [string, unknown][] => {
        const value = change(prefix + name, declared);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const own = Object.entries(state).map(([name, value]): [string, unknown] => {
    if (name === 'clear') return [name, clearOf(state).filter((cleared) => change(cleared, null) === null)];
    if (name === 'properties') return [name, inside(propertiesOf(state))];
    if (!FIELDS.has(name)) return [name, value];
    return [name, isRecord(value) ? inside(value, `${name}.`) : change(name, value)];
  });
  return Object.fromEntries(own.filter(([, value]) => value !== undefined));
}

/** All that can be declared of a contact, with the values that it has. */
export function declaredAsItIs(contact: Contact, custom: readonly ContactProperty[]): Raw {
  const valued = (names: readonly string[]): [string, unknown][] =>
    names.flatMap((name): [string, unknown][] => {
      const value = currentValue(contact, name);
      const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
      // It can only be declared as false.
      return isEmpty || (name === 'subscribed' && value !== false) ? [] : [[name, value]];
    });
  const properties = valued(custom.map(({ key }) => key));
  return {
    ...Object.fromEntries(valued([...FIELDS.keys()])),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}

/** The same as a person would declare it: dates are text. */
export function withDatesAsText(fields: Raw, custom: readonly ContactProperty[]): Raw {
  const properties = Object.entries(propertiesOf(fields));
  if (properties.length === 0) return fields;
  const types = new Map(custom.map(({ key, type }) => [key, type]));
  const texts = properties.map(([name, value]): [string, unknown] => {
    const date = decodeValue(types.get(name) ?? 'string', value);
    return [name, date instanceof Date ? date.toISOString() : value];
  });
  return { ...fields, properties: Object.fromEntries(texts) };
}

/** Names of the identifiers and values that a state declares. */
export function declaredNames({ identity, values }: State): string[] {
  return [...IDENTIFIERS.filter((name) => identity[name] !== undefined), ...Object.keys(values)];
}

/** Whether two states are the same contact with the same values. */
export function isSame(a: State, b: State): boolean {
  const [one, other] = [a, b].map(({ identity: { email, userId }, values }) => ({
    values,
    email: email?.toLowerCase(),
    userId,
  }));
  return isDeepStrictEqual(one, other);
}

/** Whether two declared addresses are the same, or both absent. */
export function isSameEmail(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isEmail(a, b);
}
