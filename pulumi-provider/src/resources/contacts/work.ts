import { AuthenticationError, PermissionError, type AudienceError } from 'audience-core';
import { problem, type Problem } from '../../messages/index.js';
import { causeOf } from '../errors.js';
import type { Host } from '../run.js';

const ROWS_AT_ONCE = 64;
const MAX_FAILURES_IN_A_ROW = 25;
const PROGRESS_MS = 30_000;

/** Errors that concern the service, not one contact. */
const OF_SERVICE: readonly string[] = ['NetworkError', 'TimeoutError', 'ServerError', 'RateLimitError'];

/** Reports a number at most every 30 seconds. */
export function throttled(report: (count: number) => void): (count: number) => void {
  let reported = Date.now();
  return (count) => {
    const now = Date.now();
    if (now - reported < PROGRESS_MS) return;
    reported = now;
    report(count);
  };
}

/**
 * Works on many items at once.
 *
 * @param work resolves with the error of the request that failed, if one did.
 * @returns why it stopped before the last item, if it did.
 */
export async function workOn<Item>(
  items: { readonly length: number; at(index: number): Item | undefined },
  work: (item: Item, index: number) => Promise<AudienceError | undefined>,
  { reporter, cancelled }: Pick<Host, 'reporter' | 'cancelled'>,
): Promise<Problem | undefined> {
  const tell = throttled((done) => reporter.info(problem('contacts.progress', { done, all: items.length })));
  let [next, done, failedInARow] = [0, 0, 0];
  let stopped: Problem | undefined;
  const worker = async (): Promise<void> => {
    for (;;) {
      if (cancelled?.aborted === true)
        stopped ??= problem('service.failed', { cause: { error: 'AbortedError' } });
      const index = next++;
      const item = items.at(index);
      if (item === undefined || stopped !== undefined) return;
      const error = await work(item, index);
      failedInARow = OF_SERVICE.includes(error?.name ?? '') ? failedInARow + 1 : 0;
      const isRefused = error instanceof AuthenticationError || error instanceof PermissionError;
      if (error !== undefined && (isRefused || failedInARow >= MAX_FAILURES_IN_A_ROW))
        stopped ??= problem('service.failed', { cause: causeOf(error) });
      tell((done += 1));
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(ROWS_AT_ONCE, items.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return stopped;
}
