import * as z from 'zod/mini';
import { timestampSchema } from './seed/schema.js';
import { readAs } from './read-as.js';
import { SandboxError } from './sandbox-error.js';

/** Farthest the clock can be moved, in milliseconds: a thousand years. */
const FARTHEST = 1000 * 365 * 24 * 60 * 60 * 1000;

const distance = { error: `must be a whole number of milliseconds from -${FARTHEST} to ${FARTHEST}` };

export const clockChangeSchema = z.strictObject({
  time: z.optional(timestampSchema).check(z.describe('The time to set, ISO 8601 in UTC.')),
  advanceMs: z
    .optional(z.int(distance).check(z.minimum(-FARTHEST, distance), z.maximum(FARTHEST, distance)))
    .check(z.describe('How far to move the time, in milliseconds; negative goes back.')),
  stopped: z.optional(z.boolean()).check(z.describe('Whether time stands still.')),
});

/** How to move the clock. */
export type ClockChange = z.input<typeof clockChangeSchema>;

/** How far the clock is from the machine's, and where it stands still, in milliseconds. */
export const clockStateSchema = z.object({ offsetMs: z.number(), stoppedAt: z.nullable(z.number()) });

type ClockState = z.infer<typeof clockStateSchema>;

/** The sandbox's own clock: runs with the machine's, can be moved and stopped. Times are milliseconds since 1970. */
export class Clock {
  #offset = 0;
  #stoppedAt: number | undefined;
  #written = { at: Number.NaN, text: '' };

  /** Now, in milliseconds since 1970. */
  now(): number {
    return this.#stoppedAt ?? Date.now() + this.#offset;
  }

  timestamp(): string {
    const now = this.now();
    // Asked for several times within a call, and dear to write.
    if (now !== this.#written.at) this.#written = { at: now, text: new Date(now).toISOString() };
    return this.#written.text;
  }

  get stopped(): boolean {
    return this.#stoppedAt !== undefined;
  }

  /** Sets the time, in milliseconds since 1970. */
  set(time: number): void {
    if (this.#stoppedAt === undefined) this.#offset = time - Date.now();
    else this.#stoppedAt = time;
  }

  /** Moves it, stops it or lets it run on. @throws SandboxError 400 that names what is wrong with that; it then stays. */
  change(input: ClockChange): void {
    const { time, advanceMs = 0, stopped } = readAs(clockChangeSchema, input);
    const target = (time === undefined ? this.now() : Date.parse(time)) + advanceMs;
    if (Math.abs(target) > FARTHEST) throw new SandboxError({ code: 'clock_too_far' });
    if (stopped !== undefined) this.#stop(stopped);
    if (time !== undefined || advanceMs !== 0) this.set(target);
  }

  /** Lets time stand still, or run on from where it stands. */
  #stop(stopped: boolean): void {
    const now = this.now();
    this.#stoppedAt = stopped ? now : undefined;
    if (!stopped) this.set(now);
  }

  get state(): ClockState {
    return { offsetMs: this.#offset, stoppedAt: this.#stoppedAt ?? null };
  }

  set state({ offsetMs, stoppedAt }: ClockState) {
    this.#offset = offsetMs;
    this.#stoppedAt = stoppedAt ?? undefined;
  }

  reset(): void {
    this.#offset = 0;
    this.#stoppedAt = undefined;
  }
}
