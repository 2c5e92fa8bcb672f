/** Draws the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 2_654_435_761) >>> 0 || 1;
  }

  /** A whole number below another. */
  int(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * below);
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.int(times) === 0;
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.int(items.length)];
  }
}
