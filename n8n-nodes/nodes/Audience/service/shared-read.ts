/** What fails so often in one run is not asked for again: a service that is down would hold up every item. */
const MOST_FAILURES = 3;

/** Something that all items of a run need and that is read once. A failure is forgotten, twice: the next item asks again. */
export class SharedRead<Result> {
  #reading: Promise<Result> | undefined;
  #failures = 0;

  constructor(private readonly read: () => Promise<Result>) {}

  /** The result; what `read` throws is the promise's. */
  get(): Promise<Result> {
    if (this.#reading !== undefined) return this.#reading;
    const reading = this.read();
    this.#reading = reading;
    reading.catch(() => {
      this.#failures += 1;
      if (this.#failures < MOST_FAILURES) this.forget();
    });
    return reading;
  }

  /** Reads anew when it is needed next. */
  forget(): void {
    this.#reading = undefined;
  }
}
