import type { AudienceError } from 'audience-core';
import { problem, type Problem } from '../../messages/index.js';
import { causeOf } from '../errors.js';
import type { Host } from '../run.js';

const ROWS_AT_ONCE = 64;
const MAX_ALIKE_IN_A_ROW = 25;
const PROGRESS_MS = 30_000;

/** How the work on an item ended: with a request that failed, with others, or without any. */
type WorkEnd = AudienceError | 'done' | undefined;

/**
 * Works on many items at once, until so many in a row have failed in the same way.
 *
 * @returns why it stopped before the last item, if it did.
 */
export async function workOn<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<WorkEnd>,
  { reporter, cancelled }: Pick<Host, 'reporter' | 'cancelled'>,
): Promise<Problem | undefined> {
  let [next, done, reportedAt] = [0, 0, Date.now()];
  let [alike, lastCause]: [number, string | undefined] = [0, undefined];
  let stopped: Problem | undefined;
  const note = (end: AudienceError | 'done'): void => {
    const cause = end === 'done' ? undefined : causeOf(end);
    alike = cause === lastCause ? alike + 1 : 1;
    lastCause = cause;
    if (cause !== undefined && alike >= MAX_ALIKE_IN_A_ROW) stopped ??= problem('service.failed', { cause });
  };
  const worker = async (): Promise<void> => {
    for (;;) {
      if (cancelled?.aborted === true) stopped ??= problem('run.wasCancelled', {});
      const item = items[next++];
      if (item === undefined || stopped !== undefined) return;
      const end = await work(item);
      if (end !== undefined) note(end);
      done += 1;
      if (Date.now() - reportedAt < PROGRESS_MS) continue;
      reportedAt = Date.now();
      reporter.info(problem('contacts.progress', { done, all: items.length }));
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(ROWS_AT_ONCE, items.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return stopped;
}
