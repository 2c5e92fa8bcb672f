/** Shows messages to the person who runs the program. */
export interface Reporter {
  info(message: string): void;
  warn(message: string): void;
}

/** What a resource needs from its host. */
export interface Host {
  readonly reporter: Reporter;
  /** Waits, in milliseconds. */
  sleep(milliseconds: number): Promise<void>;
  /** Aborted when the person cancels the run. */
  readonly cancelled?: AbortSignal;
}
