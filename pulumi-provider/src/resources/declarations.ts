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
  readonly other: Declaration;
  /** {@link locationOf} the other. */
  readonly where: string;
}

/** What the resources of one run declare. Two may declare the same contact, but not with different values. */
export class Declarations {
  // Most keys have one declaration, and lists are long.
  readonly #byKey = new Map<string, Declaration | readonly Declaration[]>();
  readonly #current = new Map<string, Resource>();

  /** Begins the declarations of a resource; an earlier check's no longer count. */
  begin(resource: Resource): void {
    this.#current.set(resource.key, resource);
  }

  /** @returns the first field that another declaration has with a different value. */
  add(keys: readonly string[], declaration: Declaration): Clash | undefined {
    let clash: Clash | undefined;
    for (const key of keys) {
      const declared = this.find([key]);
      clash ??= clashAmong(declared, declaration);
      if (declared.includes(declaration)) continue;
      this.#byKey.set(key, declared.length === 0 ? declaration : [...declared, declaration]);
    }
    return clash;
  }

  find(keys: readonly string[]): readonly Declaration[] {
    return keys
      .flatMap((key) => this.#byKey.get(key) ?? [])
      .filter(({ resource }) => this.#current.get(resource.key) === resource);
  }
}

function clashAmong(declared: readonly Declaration[], declaration: Declaration): Clash | undefined {
  const { values } = declaration;
  for (const other of declared) {
    const where = locationOf(other);
    if (where === locationOf(declaration)) continue;
    const field = Object.keys(values).find(
      (name) => Object.hasOwn(other.values, name) && other.values[name] !== values[name],
    );
    if (field !== undefined) return { field, other, where };
  }
  return undefined;
}

/** A declaration for messages: `Contact 'ada'`, `line 7 of Contacts 'customers'`. */
export function locationOf({ resource, location }: Declaration): string {
  return location === undefined ? resource.label : `${location} of ${resource.label}`;
}
