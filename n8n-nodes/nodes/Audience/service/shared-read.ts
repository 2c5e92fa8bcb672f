/** A read that failed so often in one run is not repeated: a service that is down would delay every item. */
const MOST_FAILURES = 3;

/** A read that all items of a run share. After a failure the next item repeats it, twice at most. */
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
