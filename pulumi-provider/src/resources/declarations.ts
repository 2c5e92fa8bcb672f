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
  /** For messages: `Contact 'ada'`, `line 7 of Contacts 'customers'`. */
  readonly location: string;
  /** What it declares: flat name to value. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Two declarations of one thing that give a field different values. */
export interface Clash {
  readonly field: string;
  readonly other: Declaration;
}

/** What the resources of one run declare, by key. The same thing may be declared twice, but not with different values. */
export class Declarations {
  readonly #byKey = new Map<string, Declaration[]>();
  readonly #keysOf = new Map<string, string[]>();

  /** Forgets what this resource has declared: its inputs are checked again. */
  release({ key }: Resource): void {
    for (const declared of this.#keysOf.get(key) ?? []) {
      const rest = this.#byKey.get(declared)?.filter(({ resource }) => resource.key !== key) ?? [];
      if (rest.length > 0) this.#byKey.set(declared, rest);
      else this.#byKey.delete(declared);
    }
    this.#keysOf.delete(key);
  }

  /** @returns the first field to which another declaration of the same thing gives another value. */
  add(keys: readonly string[], declaration: Declaration): Clash | undefined {
    let clash: Clash | undefined;
    for (const key of keys) {
      const declared = this.#byKey.get(key);
      if (declared === undefined) this.#byKey.set(key, [declaration]);
      else if (!declared.includes(declaration)) {
        clash ??= clashAmong(declared, declaration);
        declared.push(declaration);
      }
      const { key: owner } = declaration.resource;
      const own = this.#keysOf.get(owner);
      if (own === undefined) this.#keysOf.set(owner, [key]);
      else own.push(key);
    }
    return clash;
  }

  /** Declarations under any of the keys. */
  find(keys: readonly string[]): readonly Declaration[] {
    return keys.flatMap((key) => this.#byKey.get(key) ?? []);
  }
}

function clashAmong(declared: readonly Declaration[], { values, location }: Declaration): Clash | undefined {
  for (const other of declared) {
    if (other.location === location) continue;
    const field = Object.keys(values).find(
      (name) => Object.hasOwn(other.values, name) && other.values[name] !== values[name],
    );
    if (field !== undefined) return { field, other };
  }
  return undefined;
}
