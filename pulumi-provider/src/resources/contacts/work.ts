import type { AudienceError, CallOptions } from 'audience-core';
import type { Host } from '../host.js';
import { contactsOf, digits } from '../words.js';
import type { DeclaredRow } from './file/read.js';

/** Options of each request among many. The deadline includes the wait for the client's rate limit. */
export const IN_BULK: CallOptions = { deadlineMs: 15 * 60_000 };

const ROWS_AT_ONCE = 64;
const MAX_FAILURES_IN_A_ROW = 25;
const PROGRESS_STEPS = 4;
const MIN_ROWS_FOR_PROGRESS = 500;

/** Works on many rows at once. Once the run has `stopped`, which is the reason, the other rows have no result. */
export async function workOn<Item, Result extends { readonly error?: AudienceError | undefined }>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { reporter, cancelled }: Pick<Host, 'reporter' | 'cancelled'>,
): Promise<{ readonly results: readonly (Result | undefined)[]; readonly stopped: string | undefined }> {
  const results: (Result | undefined)[] = items.map(() => undefined);
  const step = Math.ceil(items.length / PROGRESS_STEPS);
  let [next, done, failedInARow] = [0, 0, 0];
  let stopped: string | undefined;
  const worker = async (): Promise<void> => {
    for (;;) {
      if (cancelled?.aborted === true) stopped ??= CANCELLED;
      const index = next++;
      const item = items[index];
      if (item === undefined || stopped !== undefined) return;
      const result = await work(item);
      results[index] = result;
      const code = result.error?.code ?? '';
      failedInARow = OF_SERVICE.includes(code) ? failedInARow + 1 : 0;
      if (code === 'authentication' || code === 'permission') stopped ??= FAILURES[code];
      else if (failedInARow >= MAX_FAILURES_IN_A_ROW)
        stopped ??= `the service failed ${MAX_FAILURES_IN_A_ROW} times in a row`;
      done += 1;
      if (items.length >= MIN_ROWS_FOR_PROGRESS && done % step === 0 && done < items.length) {
        reporter.info(`Contacts: ${digits(done)} of ${digits(items.length)} done.`);
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(ROWS_AT_ONCE, items.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return { results, stopped };
}

const CANCELLED = 'the run was cancelled';

/** One sentence for each cause, with the first rows that have it. */
export function groupedByReason(
  failures: readonly { readonly location: string; readonly reason: string }[],
): string[] {
  const byReason = Map.groupBy(failures, ({ reason }) => reason);
  return [...byReason].map(([reason, all]) => {
    const shown = all.slice(0, 3).map(({ location }) => location);
    const rest = all.length - shown.length;
    return `${shown.join(', ')}${rest > 0 ? ` and ${digits(rest)} more` : ''}: ${reason}`;
  });
}

/** Says that contacts are gone; `of` is empty, or begins with a blank. */
export function goneText(gone: number, of = ''): string {
  return `${contactsOf(gone)}${of} no longer ${gone === 1 ? 'exists' : 'exist'} in the service.`;
}

/** Error codes that concern the service, not one contact. */
const OF_SERVICE: readonly string[] = ['network', 'timeout', 'server', 'rate_limit'];

/** Messages by error code. The error's own message names the contact. */
const FAILURES: Readonly<Record<string, string>> = {
  aborted: CANCELLED,
  authentication: 'the service does not accept the API key',
  permission: 'the API key is not allowed to do this',
  not_found: 'the contact does not exist',
  rate_limit: 'the service receives too many requests',
  server: 'the service failed',
  network: 'the service cannot be reached',
  timeout: 'the service did not respond in time',
};

/** Messages to which the service's own is added. */
const REFUSALS: Readonly<Record<string, string>> = {
  invalid_request: 'the service refuses the values of this row',
  unexpected_response: 'the service gave a response that its API does not describe',
};

const REFUSED = 'the service refuses this row. Check whether another contact has its email or userId';

/** Why a request for a row failed, without a value of the row. */
export function textOfFailure(error: AudienceError, row: DeclaredRow): string {
  const { code, status, networkCode, serviceMessage } = error;
  const detail = code === 'timeout' || code === 'aborted' ? undefined : (networkCode ?? status);
  const known = FAILURES[code];
  const what = known ?? REFUSALS[code] ?? REFUSED;
  const reason = detail === undefined ? what : `${what} (${detail})`;
  if (known !== undefined || serviceMessage === undefined) return reason;
  // Short texts do not identify a contact.
  const texts = [row.email, row.userId, ...Object.values(row.values)].flatMap((value) =>
    typeof value === 'string' && value.length > 2 ? [value, encodeURIComponent(value)] : [],
  );
  return `${reason}: "${texts.reduce((text, value) => text.replaceAll(value, '…'), serviceMessage)}"`;
}
