import { canonicalJson } from 'audience-core/internal';
import type { Raw } from './raw.js';

/** Input that names the resource for messages. State never has it. */
export const DECLARED_BY = 'declaredBy';

export interface Resource {
  /** Different for each resource of a run. */
  readonly key: string;
  /** For messages: `Contact 'ada'`. */
  readonly label: string;
}

/** Text for {@link DECLARED_BY}; `key` is different for each resource of the program. */
export function declaredBy(name: string, key: number | string): string {
  return `${name}\n${key}`;
}

/** Splits inputs into the declared resource and the rest. */
export function resourceOf(type: string, news: Raw): { resource: Resource; inputs: Raw } {
  const { [DECLARED_BY]: given, ...inputs } = news;
  if (typeof given !== 'string')
    return { resource: { key: `${type} ${canonicalJson(inputs)}`, label: type }, inputs };
  const [name = ''] = given.split('\n');
  return { resource: { key: `${type} ${given}`, label: `${type} '${name}'` }, inputs };
}

/** One declaration of a contact or a property. */
export interface Declaration {
  readonly resource: Resource;
  /** In a list: `line 7`. */
  readonly location?: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Another declaration with a different value for a field. */
export interface Clash {
  readonly field: string;
  /** {@link locationOf} the other. */
  readonly where: string;
}

/** What the resources of one run declare. Two may declare the same contact, but not with different values. */
export class Declarations {
  readonly #byKey = new Map<string, Declaration[]>();

  /** @returns the first field that another resource declares with a different value. */
  add(keys: readonly string[], declaration: Declaration): Clash | undefined {
    const others = this.find(keys).filter(({ resource }) => resource.key !== declaration.resource.key);
    for (const key of keys) {
      const declared = this.#byKey.get(key);
      if (declared === undefined) this.#byKey.set(key, [declaration]);
      else declared.push(declaration);
    }
    for (const other of others) {
      const field = fieldThatDiffers(other.values, declaration.values);
      if (field !== undefined) return { field, where: locationOf(other) };
    }
    return undefined;
  }

  find(keys: readonly string[]): readonly Declaration[] {
    return keys.flatMap((key) => this.#byKey.get(key) ?? []);
  }
}

/** The first field of `values` for which the others have a different value. */
export function fieldThatDiffers(
  others: Declaration['values'],
  values: Declaration['values'],
): string | undefined {
  return Object.keys(values).find((name) => Object.hasOwn(others, name) && others[name] !== values[name]);
}

/** A declaration for messages: `Contact 'ada'`, `line 7 of Contacts 'customers'`. */
export function locationOf({ resource, location }: Declaration): string {
  return location === undefined ? resource.label : `${location} of ${resource.label}`;
}
