import { canonicalJson } from 'audience-core/internal';
import type { Raw } from './raw.js';

/** Input that the program adds, so that a message can name the resource. It is never kept in state. */
export const DECLARED_BY = 'declaredBy';

/** A resource of the program, within one run. */
export interface Resource {
  /** Different for each resource of a run. */
  readonly key: string;
  /** For messages: `Contact 'ada'`. */
  readonly label: string;
}

/**
 * Text for {@link DECLARED_BY}.
 *
 * @param key different for each resource of the program.
 */
export function declaredBy(name: string, key: number | string): string {
  return `${name}\n${key}`;
}

/** Splits what a program gives into the resource that it declares and its inputs. */
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
  /** Where in a list: `line 7`. */
  readonly location?: string;
  /** What it declares: flat name to value. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Two declarations of one thing that give a field different values. */
export interface Clash {
  readonly field: string;
  readonly other: Declaration;
  /** {@link placeOf} the other. */
  readonly where: string;
}

/** What the resources of one run declare, by key. The same thing may be declared twice, but not with different values. */
export class Declarations {
  // Most things are declared once, and lists are long.
  readonly #byKey = new Map<string, Declaration | readonly Declaration[]>();
  readonly #current = new Map<string, Resource>();

  /** Begins the declarations of a resource: those of an earlier check of its inputs count no longer. */
  begin(resource: Resource): void {
    this.#current.set(resource.key, resource);
  }

  /** @returns the first field to which another declaration of the same thing gives another value. */
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

  /** Declarations under any of the keys. */
  find(keys: readonly string[]): readonly Declaration[] {
    return keys
      .flatMap((key) => this.#byKey.get(key) ?? [])
      .filter(({ resource }) => this.#current.get(resource.key) === resource);
  }
}

function clashAmong(declared: readonly Declaration[], declaration: Declaration): Clash | undefined {
  const { values } = declaration;
  for (const other of declared) {
    const where = placeOf(other);
    if (where === placeOf(declaration)) continue;
    const field = Object.keys(values).find(
      (name) => Object.hasOwn(other.values, name) && other.values[name] !== values[name],
    );
    if (field !== undefined) return { field, other, where };
  }
  return undefined;
}

/** A declaration for messages: `Contact 'ada'`, `line 7 of Contacts 'customers'`. */
export function placeOf({ resource, location }: Declaration): string {
  return location === undefined ? resource.label : `${location} of ${resource.label}`;
}
