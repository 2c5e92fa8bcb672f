import { canonicalJson, decodeValue, isRecord } from 'audience-core/internal';
import type { Contact, ContactProperty } from 'audience-core';
import * as z from 'zod/mini';
import { encodeProgramValue, FIELDS, keptFields, keptShape, propertiesOf } from './fields.js';
import type { ContactFields, FieldValue } from './fields.js';
import { eventSchema } from '../creation-event.js';
import { ON_REMOVAL } from '../on-removal.js';
import type { Raw } from '../raw.js';
import { isEmail, sameEmail } from '../people.js';
import type { Run } from '../run.js';

/** Inputs of a contact that are no fields of it. */
export const settingsShape = {
  createWithEvent: z.optional(eventSchema),
  onDelete: z.optional(z.enum(ON_REMOVAL)),
};

const settingsSchema = z.object(settingsShape);

/** Schema of the inputs as they are kept. */
export const inputsSchema = z.object({ ...keptShape, ...settingsShape });

/** State of a contact: what is declared, as it was last known to be. */
export type State = ContactFields & z.infer<typeof settingsSchema>;

/** Names of all inputs. */
export const INPUT_NAMES: readonly string[] = Object.keys(inputsSchema.shape);

/** Reads a state. */
export function stateOf(raw: Raw): State {
  return { ...keptFields(raw), ...settingsSchema.parse(raw) };
}

/** The inputs with Unix seconds for dates that are text: state and comparison know one form only. */
export async function withDatesOnWire(inputs: Raw, { properties: known }: Run): Promise<Raw> {
  const properties = propertiesOf(inputs);
  const texts = Object.keys(properties).filter((name) => typeof properties[name] === 'string');
  if (texts.length === 0) return inputs;
  const types = await known.typesOf(texts);
  const encoded = texts.flatMap((name): [string, unknown][] => {
    const read = types.get(name) === 'date' ? encodeProgramValue('date', properties[name]) : undefined;
    return read?.ok === true ? [[name, read.value]] : [];
  });
  return { ...inputs, properties: { ...properties, ...Object.fromEntries(encoded) } };
}

/** The same with Unix seconds for dates that an import left as text in the inputs. */
export function withDatesOf({ properties: before = {} }: State, after: State): State {
  const { properties } = after;
  if (properties === undefined) return after;
  const same = Object.entries(properties).map(([name, value]): [string, FieldValue] => {
    const read = typeof before[name] === 'number' ? encodeProgramValue('date', value) : undefined;
    return [name, read?.ok === true ? read.value : value];
  });
  return { ...after, properties: Object.fromEntries(same) };
}

/** All that decides over a change, whatever the order of keys. */
export function compared({ createWithEvent: _, ...state }: State): string {
  const email = state.email === undefined ? undefined : sameEmail(state.email);
  return canonicalJson({ ...state, email, onDelete: state.onDelete ?? 'retain' });
}

/** The declared fields with the service's values; what is not declared is none of our business. */
export function asDeclared(state: State, contact: Contact): State {
  const { properties, subscriptionGroups, createWithEvent, onDelete, ...standard } = state;
  const fields: Record<string, unknown> = { createWithEvent, onDelete };
  for (const [name, declared] of Object.entries(standard)) {
    const current = contact[name] ?? undefined;
    if (current === undefined) continue;
    if (name === 'subscribed' && current !== false) continue;
    fields[name] = name === 'email' && isEmail(current, String(declared)) ? declared : current;
  }
  if (subscriptionGroups !== undefined) {
    fields['subscriptionGroups'] = picked(subscriptionGroups, (id) => contact.subscriptionGroups?.[id]);
  }
  if (properties !== undefined) {
    fields['properties'] = picked(properties, (name, declared) => fieldValue(contact[name], declared));
  }
  return stateOf(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}

/** The same as a person would declare it: dates are text. */
export function withDatesAsText({ properties, ...fields }: State, custom: readonly ContactProperty[]): Raw {
  if (properties === undefined) return fields;
  const types = new Map(custom.map(({ key, type }) => [key, type]));
  const texts = Object.entries(properties).map(([name, value]): [string, unknown] => {
    const date = decodeValue(types.get(name) ?? 'string', value);
    return [name, date instanceof Date ? date.toISOString() : value];
  });
  return { ...fields, properties: Object.fromEntries(texts) };
}

/** All that can be declared of a contact, with the values that it has. */
export function declaredAsItIs(contact: Contact, custom: readonly ContactProperty[]): State {
  const valued = (names: readonly string[]): [string, unknown][] =>
    names.flatMap((name): [string, unknown][] => {
      const value = Object.hasOwn(contact, name) ? (contact[name] ?? undefined) : undefined;
      return value === undefined || (isRecord(value) && Object.keys(value).length === 0)
        ? []
        : [[name, value]];
    });
  const fields = Object.fromEntries(valued([...FIELDS.keys()]));
  // It can only be declared as false.
  if (fields['subscribed'] !== false) delete fields['subscribed'];
  const properties = valued(custom.map(({ key }) => key));
  return stateOf(
    properties.length === 0 ? fields : { ...fields, properties: Object.fromEntries(properties) },
  );
}

function picked<Value>(
  declared: Readonly<Record<string, Value>>,
  read: (key: string, value: Value) => Value | undefined,
): Record<string, Value> {
  const entries = Object.entries(declared).flatMap(([key, value]): [string, Value][] => {
    const current = read(key, value);
    return current === undefined ? [] : [[key, current]];
  });
  return Object.fromEntries(entries);
}

function fieldValue(current: unknown, declared: FieldValue): FieldValue | undefined {
  if (typeof current === 'string' || typeof current === 'number' || typeof current === 'boolean')
    return current;
  return declared === null ? null : undefined;
}

/** Whether the contact has the value; of groups, whether it is in each as declared. */
export function isSet(person: Contact, name: string, value: FieldValue | Record<string, boolean>): boolean {
  if (typeof value !== 'object' || value === null) return (person[name] ?? null) === value;
  return Object.entries(value).every(([group, member]) => person.subscriptionGroups?.[group] === member);
}
