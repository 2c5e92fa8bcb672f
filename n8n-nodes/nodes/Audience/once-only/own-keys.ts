import { contentHash } from './key.js';
import type { Sending } from '../item/operation.js';

/** Items of one run that have the same 'Idempotency Key' for one recipient and one design or event. */
export class OwnKeys {
  /** Content by item, in the order of the input, by key. */
  readonly #contents = new Map<string, Map<number, string>>();
  readonly #keys = new Map<number, string>();

  /** @param key as it goes out. */
  note(itemIndex: number, key: string, sending: Sending): void {
    const contents = this.#contents.get(key) ?? new Map<number, string>();
    this.#contents.set(key, contents.set(itemIndex, contentHash(sending)));
    this.#keys.set(itemIndex, key);
  }

  /** Items with one key for different contents: the service would send only one of them. */
  conflicts(): number[] {
    return [...this.#contents.values()].flatMap((contents) =>
      new Set(contents.values()).size > 1 ? [...contents.keys()] : [],
    );
  }

  /** Items that share the end of this one; `undefined` if it shares the end of an earlier one itself. */
  twinsOf(itemIndex: number): readonly number[] | undefined {
    const contents = this.#contents.get(this.#keys.get(itemIndex) ?? '');
    const [first, ...others] = contents?.keys() ?? [itemIndex];
    return first === itemIndex ? others : undefined;
  }
}
