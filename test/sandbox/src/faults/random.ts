/** Numbers from 0 up to 1 that look random and are the same for the same seed (the mulberry32 generator). */
export class RandomSource {
  #state: number;

  /** @param state a seed, or the state of one to go on from */
  constructor(state: number) {
    this.#state = state | 0;
  }

  get state(): number {
    return this.#state;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
