import { encodeValue } from '../contract/property-values.js';
import { PROPERTY_TYPES, type JsonValue, type PropertyType } from '../contract/types.js';
import { ValidationError } from '../errors.js';
import { isRecord } from '../is-record.js';
import { nearest } from '../nearest.js';
import type { Problem } from '../problem.js';
import type { ValueOf } from './contact-schema.js';

/** Type of an event's property: one of contact properties, or `json` for any value, such as the lines of a receipt. */
type EventPropertyType = PropertyType | 'json';

/** The events that a program sends: name to the types of their properties. */
export type EventSchema = Readonly<Record<string, Readonly<Record<string, EventPropertyType>>>>;

/** TypeScript type of an event property's value; a date is a `Date`. */
export type EventValue<Type extends EventPropertyType> = Type extends PropertyType
  ? ValueOf<Type>
  : JsonValue;

const EVENT_PROPERTY_TYPES: readonly unknown[] = [...PROPERTY_TYPES, 'json'];

/**
 * Declares the events that you send, so that `send` knows their names and properties:
 *
 * ```ts
 * const events = defineEventSchema({ orderPlaced: { total: 'number', lines: 'json' } });
 * ```
 *
 * @throws ValidationError for what is no map of names to types.
 */
export function defineEventSchema<const Schema extends EventSchema>(schema: Schema): Schema {
  assertEventSchema(schema);
  return schema;
}

/** @throws ValidationError for what is no map of event names to properties with their types. */
export function assertEventSchema(schema: unknown): asserts schema is EventSchema {
  const problems = isRecord(schema) ? Object.entries(schema).flatMap(typeProblems) : [notObject([])];
  if (problems.length > 0) throw new ValidationError('The event schema cannot be used', problems);
}

function typeProblems([event, properties]: [string, unknown]): Problem[] {
  if (!isRecord(properties)) return [notObject([event])];
  return Object.entries(properties)
    .filter(([, type]) => !EVENT_PROPERTY_TYPES.includes(type))
    .map(([name]) => ({ path: [event, name], code: 'notOneOf', expected: EVENT_PROPERTY_TYPES.map(String) }));
}

function notObject(path: string[]): Problem {
  return { path, code: 'wrongType', expected: 'object' };
}

/** What is wrong with an event by the schema: its name, or a property's name or type. */
export function eventProblems(
  schema: EventSchema | undefined,
  { eventName, eventProperties }: Readonly<Record<string, unknown>>,
): Problem[] {
  if (schema === undefined || typeof eventName !== 'string') return [];
  const types = Object.hasOwn(schema, eventName) ? schema[eventName] : undefined;
  if (types === undefined) {
    const wayOut = nearest(eventName, Object.keys(schema));
    return [{ path: ['eventName'], code: 'unknownEvent', wayOut }];
  }
  return Object.entries(isRecord(eventProperties) ? eventProperties : {}).flatMap(([name, value]) => {
    const path = ['eventProperties', name];
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (type === undefined) {
      return [{ path, code: 'unknownEventProperty', wayOut: nearest(name, Object.keys(types)) }];
    }
    if (type === 'json' || value === undefined || value === null) return [];
    const encoded = encodeValue(type, value);
    return encoded.ok ? [] : [{ path, ...encoded.problem }];
  });
}
