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

/** What the resources of one run declare, in one index. Two may declare the same contact, but not with different values. */
export class Declarations {
  readonly #byKey = new Map<string, Declaration[]>();
  readonly #current = new Map<string, Resource>();

  /** Begins the declarations of a resource; an earlier check's no longer count. */
  begin(resource: Resource): void {
    this.#current.set(resource.key, resource);
  }

  /** @returns the first field that another declaration has with a different value. */
  add(keys: readonly string[], declaration: Declaration): Clash | undefined {
    const clash = this.clash(keys, declaration);
    for (const key of keys) {
      const declared = this.#byKey.get(key);
      if (declared === undefined) this.#byKey.set(key, [declaration]);
      else if (!declared.includes(declaration)) declared.push(declaration);
    }
    return clash;
  }

  /** The first field that another declaration has with a different value. */
  clash(keys: readonly string[], declaration: Declaration): Clash | undefined {
    const { values } = declaration;
    for (const other of this.find(keys)) {
      const where = locationOf(other);
      const field = where === locationOf(declaration) ? undefined : fieldThatDiffers(other.values, values);
      if (field !== undefined) return { field, where };
    }
    return undefined;
  }

  find(keys: readonly string[]): readonly Declaration[] {
    const found = keys.flatMap((key) => this.#byKey.get(key) ?? []);
    return found.filter(({ resource }) => this.#current.get(resource.key) === resource);
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
