/** Counts equal items of one run, to tell them apart. To ask about an item again gives the same number. */
export class Repeats {
  /** How many items have a content, by its hash. */
  readonly #same = new Map<string, number>();
  /** How many equal items come before an item, by its index and the hash, as an item's content may change with the time. */
  readonly #before = new Map<string, number>();
  /** What was set on a person, in order; and which place in that order an item has, by its index and the hash. */
  readonly #turns = new Map<string, string[]>();
  readonly #turnOf = new Map<string, number>();

  /** How many items before this one say the same. */
  before(itemIndex: number, hash: string): number {
    const item = `${itemIndex} ${hash}`;
    const before = this.#before.get(item) ?? this.#same.get(hash) ?? 0;
    if (!this.#before.has(item)) this.#same.set(hash, before + 1);
    this.#before.set(item, before);
    return before;
  }

  /** How often a person was given the same before this item, with something else in between. */
  returnsBefore(itemIndex: number, person: string, hash: string): number {
    const item = `${itemIndex} ${hash}`;
    const turns = this.#turns.get(person) ?? [];
    if (!this.#turnOf.has(item) && turns.at(-1) !== hash) turns.push(hash);
    const turn = this.#turnOf.get(item) ?? turns.length - 1;
    this.#turns.set(person, turns);
    this.#turnOf.set(item, turn);
    return turns.slice(0, turn).filter((one) => one === hash).length;
  }
}
