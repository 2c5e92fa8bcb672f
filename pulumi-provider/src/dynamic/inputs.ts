import * as pulumi from '@pulumi/pulumi';
import { isRecord } from 'audience-core/internal';
import { encodeDate } from '../engine/codec.js';

/** Input that names the inputs whose values are secret: the engine hands the values over in plain. */
export const SECRET_INPUTS = 'secretInputs';

/** Inputs without those that are `undefined`: each that is passed costs the program time, declared or not. */
export function given(inputs: Readonly<Record<string, unknown>>): pulumi.Inputs {
  const entries = Object.entries(inputs).filter(([, value]) => value !== undefined);
  const late = entries.filter(([, value]) => holdsOutput(value));
  if (late.length === 0) return Object.fromEntries(entries);
  return { ...Object.fromEntries(entries), [SECRET_INPUTS]: secretNames(late) };
}

function holdsOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value)) return true;
  if (Array.isArray(value)) return value.some(holdsOutput);
  return isRecord(value) && !(value instanceof Promise) && Object.values(value).some(holdsOutput);
}

async function secretNames(entries: readonly (readonly [string, unknown])[]): Promise<string[] | undefined> {
  const names: string[] = [];
  for (const [name, value] of entries) {
    // The list of contacts is secret whatever it holds, and no message has a value of it.
    if (name !== 'contacts' && (await pulumi.isSecret(pulumi.output(value)))) names.push(name);
  }
  return names.length === 0 ? undefined : names;
}

/**
 * Makes a resource's class answer `undefined`, as an Output, for fields that a program did not declare. Passing them
 * as undefined inputs would do the same, at several promises with a stack trace each, per field and resource.
 */
export function answerUndeclared(prototype: object, fields: readonly string[]): void {
  for (const field of fields) {
    Object.defineProperty(prototype, field, {
      configurable: true,
      get: () => pulumi.output(undefined),
      set(this: object, value: unknown) {
        Object.defineProperty(this, field, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

/** A value in the form in which dates survive the engine, however deep in outputs, promises and objects. */
export function withDates(value: unknown): unknown {
  if (value instanceof Date) return encodeDate(value);
  if (pulumi.Output.isInstance(value)) return value.apply(withDates);
  if (value instanceof Promise) return value.then(withDates);
  if (Array.isArray(value)) return value.map(withDates);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDates(inner)]));
}

/** Whether a value is an object that a program wrote, and not an Output, a promise or a resource. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    isRecord(value) &&
    !(value instanceof Promise) &&
    !pulumi.Output.isInstance(value) &&
    !pulumi.Resource.isInstance(value)
  );
}
