/** Ends a wait: the request may begin, or the call was ended. */
export type EndWait = (mayBegin: boolean) => void;

/** Waits in order of arrival. To remove one from the middle takes constant time. */
export class Queue extends Set<EndWait> {
  /** Kept between calls: a new iterator would skip all removed waits again. */
  #upcoming = this.values();

  first(): EndWait | undefined {
    const next = this.#upcoming.next();
    if (next.done !== true) return next.value;
    this.#upcoming = this.values();
    return this.#upcoming.next().value;
  }
}
