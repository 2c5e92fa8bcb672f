/** Lets work that concerns the same contact wait for what was begun before it; all other work goes on meanwhile. */
export class ContactQueue {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Does something after all that concerns the same contact.
   *
   * @param names of the contact; empty for work that need not wait.
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
