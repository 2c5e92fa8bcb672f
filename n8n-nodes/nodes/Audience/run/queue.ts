/** Lets work that concerns the same contact, or has the same key, wait for what was begun before it. */
export class Queue {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Does something after all that has one of the same names.
   *
   * @param names empty for work that need not wait.
   */
  async after(names: readonly string[], work: () => Promise<void>): Promise<void> {
    const earlier = names.flatMap((name) => this.#last.get(name) ?? []);
    const done = earlier.length === 0 ? work() : Promise.allSettled(earlier).then(work);
    for (const name of names) this.#last.set(name, done);
    try {
      await done;
    } finally {
      for (const name of names) if (this.#last.get(name) === done) this.#last.delete(name);
    }
  }
}
