import type { Problem } from '../messages.js';

export interface Reporter {
  info(problem: Problem): void;
  warn(problem: Problem): void;
}

export interface Host {
  readonly reporter: Reporter;
  /** Waits, in milliseconds. */
  sleep(milliseconds: number): Promise<void>;
  /** Aborted when the person cancels the run. */
  readonly cancelled?: AbortSignal;
  /** Groups that contacts join in this run even if they may have left them. */
  readonly rejoins?: ReadonlySet<string>;
}
