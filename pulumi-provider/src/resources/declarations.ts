import { canonicalJson } from 'audience-core/internal';
import type { Raw } from './raw.js';

/** Input that the program adds, so that two declarations of one thing can be named. It is never kept in state. */
export const DECLARED_BY = 'declaredBy';

/** Who declares something, within one run. */
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

/** Takes out who declares these inputs. */
export function declarantOf(type: string, news: Raw): { declarant: Declarant; inputs: Raw } {
  const { [DECLARED_BY]: given, ...inputs } = news;
  const key = typeof given === 'string' ? given : canonicalJson(inputs);
  const name = typeof given === 'string' ? ` '${given.replace(/^\d+ /, '')}'` : '';
  return { declarant: { key: `${type} ${key}`, label: `${type}${name}` }, inputs };
}

/** Where a thing is declared. */
export interface Claim {
  readonly declarant: Declarant;
  /** For messages: `Contact 'ada'`, `line 7 of 'people.csv'`. */
  readonly location: string;
  /** Of a person: the userId that is declared. */
  readonly userId?: string | undefined;
}

/** What the resources of one run declare, by key: nothing is declared twice. */
export class Claims {
  private readonly claims = new Map<string, Claim>();
  private readonly keysOf = new Map<string, string[]>();

  /** Forgets what this declarant has claimed: its inputs are checked anew. */
  release({ key }: Declarant): void {
    for (const claimed of this.keysOf.get(key) ?? []) {
      if (this.claims.get(claimed)?.declarant.key === key) this.claims.delete(claimed);
    }
    this.keysOf.delete(key);
  }

  /** @returns the earlier claim, where there is one of somebody else, or of another location. */
  add(keys: readonly string[], claim: Claim): Claim | undefined {
    const earlier = this.find(keys);
    for (const key of keys) {
      if (this.claims.has(key)) continue;
      this.claims.set(key, claim);
      const own = this.keysOf.get(claim.declarant.key);
      if (own === undefined) this.keysOf.set(claim.declarant.key, [key]);
      else own.push(key);
    }
    return earlier === undefined || isSame(earlier, claim) ? undefined : earlier;
  }

  /** @param except a claim that does not count. */
  find(keys: readonly string[], except?: Claim): Claim | undefined {
    return keys
      .flatMap((key) => this.claims.get(key) ?? [])
      .find((claim) => except === undefined || !isSame(claim, except));
  }
}

function isSame(a: Claim, b: Claim): boolean {
  return a.declarant.key === b.declarant.key && a.location === b.location;
}
