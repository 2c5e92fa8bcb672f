import type { HttpMethod } from '../contract/types.js';

/** What an attempt was and how it ended. */
interface AttemptInfo {
  readonly method: HttpMethod;
  /** Path below the base URL. It can hold an email address. */
  readonly path: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
  /** HTTP status; absent where there was no response. */
  readonly status: number | undefined;
  readonly milliseconds: number;
}

/** Gets each attempt when it has ended. What it throws is ignored. */
export type OnAttempt = (attempt: AttemptInfo) => void;

/** Calls the hook. One that fails must not make an email that was sent look as if it was not. */
export function tell(onAttempt: OnAttempt, attempt: AttemptInfo): void {
  try {
    onAttempt(attempt);
  } catch {
    // The hook's own matter.
  }
}
