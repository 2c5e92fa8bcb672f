/** Tries one thing after the other, tells how each went, and counts. */
export class Tally {
  private passed = 0;
  private failed = 0;

  /** How many passed of how many. */
  get score(): string {
    return `${this.passed} of ${this.passed + this.failed}`;
  }

  /** Tries one thing and gives what came of it. A failure is shown and counted, and thrown no further. */
  async attempt<Result>(name: string, act: () => Promise<Result>): Promise<Result | undefined> {
    const start = performance.now();
    try {
      const result = await act();
      this.passed += 1;
      console.log(`  ok      ${name} (${Math.round(performance.now() - start)} ms)`);
      return result;
    } catch (error) {
      this.failed += 1;
      console.log(`  FAILED  ${name}`);
      console.log(error instanceof Error ? (error.stack ?? error.message) : error);
      return undefined;
    }
  }

  /** Prints the totals, which the exit code follows. */
  end(): void {
    console.log(`\n${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed === 0 ? 0 : 1;
  }
}

/** Does a thing for each item, two at a time: most of what hosts do is waiting for their processes. */
export async function twoAtATime<Item>(
  items: Iterable<Item>,
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await act(next.value);
  };
  await Promise.all([worker(), worker()]);
}
