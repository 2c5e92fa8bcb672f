import * as pulumi from '@pulumi/pulumi';
import { encodeValue, isRecord } from 'audience-core/internal';
import { problem, textOf } from '../messages/index.js';
import { DECLARED_BY, declaredBy } from '../resources/declarations.js';
import { plainError } from './program.js';

/** Input that names the secret inputs: the engine passes their values in plain text. */
export const SECRET_INPUTS = 'secretInputs';

let declarations = 0;

/**
 * The inputs of a resource as the engine gets them, with what the provider must know of the program.
 *
 * @param args the declared inputs; JavaScript may pass none.
 * @param secrets names of inputs that are always secrets; no message shows a value of them.
 */
export function inputsOf(name: string, args: object, secrets: readonly string[] = []): pulumi.Inputs {
  declarations += 1;
  const entries = Object.entries<unknown>({ ...args })
    .filter(([, value]) => value !== undefined)
    .map(([input, value]): [string, unknown] => {
      const plain = withDates(value);
      return [input, secrets.includes(input) ? pulumi.secret(plain) : plain];
    });
  const inputs = { ...Object.fromEntries(entries), [DECLARED_BY]: declaredBy(name, declarations) };
  const late = entries.filter(([input, value]) => !secrets.includes(input) && holdsOutput(value));
  return late.length === 0 ? inputs : { ...inputs, [SECRET_INPUTS]: secretNames(late) };
}

function holdsOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value)) return true;
  if (Array.isArray(value)) return value.some(holdsOutput);
  return isPlainObject(value) && Object.values(value).some(holdsOutput);
}

async function secretNames(entries: readonly (readonly [string, unknown])[]): Promise<string[] | undefined> {
  const names: string[] = [];
  for (const [name, value] of entries) {
    if (await pulumi.isSecret(pulumi.output(value))) names.push(name);
  }
  return names.length === 0 ? undefined : names;
}

/** A value with its dates as Unix seconds, also in outputs, promises and objects: the engine has no dates. */
function withDates(value: unknown): unknown {
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

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    isRecord(value) &&
    !(value instanceof Promise) &&
    !pulumi.Output.isInstance(value) &&
    !pulumi.Resource.isInstance(value)
  );
}
