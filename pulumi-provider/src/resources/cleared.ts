import type { SharedClaims } from './host.js';
import { keysOf } from './people.js';
import type { Identity } from './people.js';

const SOME = 'cleared something';

/**
 * What a run has cleared of whom, as its declaration no longer has it: a resource of which it comes out later that it
 * declares the same person sets its own values again.
 */
export class Cleared {
  readonly #keys = new Set<string>();

  /** @param others what the other processes of the run know. */
  constructor(private readonly others?: SharedClaims) {}

  /** @param identity as the person is known from now on. */
  note(identity: Identity, names: readonly string[]): void {
    const keys = names.flatMap((name) => factsOf(identity, name));
    if (keys.length === 0) return;
    for (const key of keys) this.#keys.add(key);
    this.others?.add([SOME, ...keys]);
  }

  /** Whether nothing was cleared of anybody. */
  get isEmpty(): boolean {
    return this.#keys.size === 0 && this.others?.has([SOME]) !== true;
  }

  /** Those of the names that were cleared of a person. */
  of(identity: Identity, names: readonly string[]): string[] {
    if (this.isEmpty) return [];
    return names.filter((name) => {
      const keys = factsOf(identity, name);
      return keys.some((key) => this.#keys.has(key)) || this.others?.has(keys) === true;
    });
  }
}

function factsOf(identity: Identity, name: string): string[] {
  return keysOf(identity).map((key) => `cleared ${name} ${key}`);
}
