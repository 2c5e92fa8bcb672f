import type { Runtime } from './runtime.js';

/** Gets one line for each request, response and retry; `console` is one. No line holds personal data. */
export interface Logger {
  debug(message: string): void;
}

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
