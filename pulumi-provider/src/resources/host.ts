export interface Reporter {
  info(message: string): void;
  warn(message: string): void;
}

export interface Host {
  readonly reporter: Reporter;
  /** Waits, in milliseconds. */
  sleep(milliseconds: number): Promise<void>;
  /** Aborted when the person cancels the run. */
  readonly cancelled?: AbortSignal;
}
