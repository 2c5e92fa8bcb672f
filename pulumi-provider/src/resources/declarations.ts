import { canonicalJson } from 'audience-core/internal';
import type { Raw } from './raw.js';

/** Input that the program adds, so that a message can name the resource. It is never kept in state. */
export const DECLARED_BY = 'declaredBy';

/** A resource of the program, within one run. */
export interface Declarant {
  /** Different for each resource of a run. */
  readonly key: string;
  /** For messages: `Contact 'ada'`. */
  readonly label: string;
}

/** Text for {@link DECLARED_BY}: a number that no other resource of the program has, and the resource's name. */
export function declaredBy(number: number, name: string): string {
  return `${number} ${name}`;
}

/** Takes the declaring resource out of the inputs. */
export function declarantOf(type: string, news: Raw): { declarant: Declarant; inputs: Raw } {
  const { [DECLARED_BY]: given, ...inputs } = news;
  const key = typeof given === 'string' ? given : canonicalJson(inputs);
  const name = typeof given === 'string' ? ` '${given.replace(/^\d+ /, '')}'` : '';
  return { declarant: { key: `${type} ${key}`, label: `${type}${name}` }, inputs };
}

/** One declaration of a contact or a property. */
export interface Declaration {
  readonly declarant: Declarant;
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
  release({ key }: Declarant): void {
    for (const declared of this.#keysOf.get(key) ?? []) {
      const rest = this.#byKey.get(declared)?.filter(({ declarant }) => declarant.key !== key) ?? [];
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
      const { key: owner } = declaration.declarant;
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
