/** Tells the person who runs the program what they should know, in whole sentences. */
export interface Reporter {
  info(message: string): void;
  warn(message: string): void;
}

/** Keys of people, and of lists (`list …`), that the processes of one run declare, each for all. */
export interface SharedClaims {
  /** Tells the others that this process declares somebody. */
  add(keys: readonly string[]): void;
  /** Whether another process declares somebody. */
  has(keys: readonly string[]): boolean;
}

/** What a resource needs of the place it runs in. */
export interface Host {
  readonly reporter: Reporter;
  /** Waits, in milliseconds. */
  sleep(milliseconds: number): Promise<void>;
  /** Whom other processes of the same run declare, where there can be some. */
  readonly others?: SharedClaims | undefined;
  /** Tells that the person wants the run to end: work under way ends, nothing more begins. */
  readonly cancelled?: AbortSignal;
}
