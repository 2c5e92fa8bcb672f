import type { HttpMethod } from '../contract/types.js';
import type { Runtime } from './runtime.js';

/** Gets one line for each request, response and retry; `console` is one. No line holds personal data. */
export interface Logger {
  debug(message: string): void;
}

/** What an attempt was and how it ended. */
export interface AttemptInfo {
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

/** Writes a line about one call. */
export type CallLog = (line: string) => void;

/** The log of one call; absent where the client has no logger. */
export function callLog(
  logger: Logger | undefined,
  operationId: string,
  runtime: Pick<Runtime, 'randomUUID'>,
): CallLog | undefined {
  if (logger === undefined) return undefined;
  const call = `audience ${runtime.randomUUID().slice(0, 8)} ${operationId}`;
  return (line) => {
    try {
      logger.debug(`${call}: ${line}`);
    } catch {
      // A logger that fails must not make an email that was sent look as if it was not.
    }
  };
}

/** Calls the hook. One that fails must not make an email that was sent look as if it was not. */
export function tell(onAttempt: OnAttempt, attempt: AttemptInfo): void {
  try {
    onAttempt(attempt);
  } catch {
    // The hook's own matter.
  }
}
