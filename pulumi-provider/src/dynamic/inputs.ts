import * as pulumi from '@pulumi/pulumi';
import { encodeValue, isRecord } from 'audience-core/internal';
import { problem, textOf } from '../messages/index.js';
import { plainError } from './program.js';

/** Input that names the secret inputs: the engine passes their values in plain text. */
export const SECRET_INPUTS = 'secretInputs';

/** Inputs without those that are `undefined`. */
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
    // The list of contacts is always secret, and no message shows a value of it.
    if (name !== 'contacts' && (await pulumi.isSecret(pulumi.output(value)))) names.push(name);
  }
  return names.length === 0 ? undefined : names;
}

/** A value with its dates as Unix seconds, also in outputs, promises and objects: the engine has no dates. */
export function withDates(value: unknown): unknown {
  if (value instanceof Date) {
    const encoded = encodeValue('date', value);
    if (!encoded.ok) throw plainError(textOf(problem('input.invalidDate', {})));
    return encoded.value;
  }
  if (pulumi.Output.isInstance(value)) return value.apply(withDates);
  if (value instanceof Promise) return value.then(withDates);
  if (Array.isArray(value)) return value.map(withDates);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDates(inner)]));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    isRecord(value) &&
    !(value instanceof Promise) &&
    !pulumi.Output.isInstance(value) &&
    !pulumi.Resource.isInstance(value)
  );
}
