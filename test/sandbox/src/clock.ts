import type { Settings } from './settings.js';

/** The sandbox's own clock: runs with the machine's, can be moved and stopped. Times are milliseconds since 1970. */
export class Clock {
  #offset = 0;
  #stoppedAt: number | undefined;
  #written = { at: Number.NaN, text: '' };

  /** Now, in milliseconds since 1970. */
  now(): number {
    return this.#stoppedAt ?? Date.now() + this.#offset;
  }

  /** Now, as an ISO 8601 timestamp in UTC. */
  timestamp(): string {
    const now = this.now();
    // Asked for several times within a call, and dear to write.
    if (now !== this.#written.at) this.#written = { at: now, text: new Date(now).toISOString() };
    return this.#written.text;
  }

  /** Whether time stands still. */
  get stopped(): boolean {
    return this.#stoppedAt !== undefined;
  }

  /** Sets the time, in milliseconds since 1970. */
  set(time: number): void {
    if (this.#stoppedAt === undefined) this.#offset = time - Date.now();
    else this.#stoppedAt = time;
  }

  /** Moves the time by that many milliseconds; negative goes back. */
  advance(milliseconds: number): void {
    this.set(this.now() + milliseconds);
  }

  /** Lets time stand still, or run on from where it stands. */
  stop(stopped: boolean): void {
    const now = this.now();
    this.#stoppedAt = stopped ? now : undefined;
    if (!stopped) this.set(now);
  }

  /** How it stands to the machine's. */
  get state(): Settings['clock'] {
    return { offsetMs: this.#offset, stoppedAt: this.#stoppedAt ?? null };
  }

  /** Back to a {@link state}. */
  set state({ offsetMs, stoppedAt }: Settings['clock']) {
    this.#offset = offsetMs;
    this.#stoppedAt = stoppedAt ?? undefined;
  }

  /** Back to the machine's time. */
  reset(): void {
    this.#offset = 0;
    this.#stoppedAt = undefined;
  }
}
