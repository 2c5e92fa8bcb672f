import type { AudienceError, CallOptions } from 'audience-core';
import type { Host } from '../host.js';
import { digits } from '../words.js';
import type { DeclaredRow } from './rows.js';

/**
 * Limits of each call among many. Waiting for its turn under the client's limits counts, so a call gets a quarter of an
 * hour, where it has two minutes otherwise.
 */
export const IN_BULK: CallOptions = { deadlineMs: 15 * 60_000 };

/** Rows that are worked on at once; the client's limits hold below that. */
const PARALLEL = 64;
/** Failures of the whole service, one after the other, after which the rest is not tried. */
const GIVE_UP_AFTER = 25;
/** Progress is told this often in a run, and not for fewer rows. */
const PROGRESS_STEPS = 4;
const PROGRESS_FROM = 500;

/** Results of many rows, in their order; those that were not reached have none. */
export interface Worked<Result> {
  readonly results: readonly (Result | undefined)[];
  /** Why the rest was not tried, where it was not. */
  readonly stopped: string | undefined;
}

/**
 * Works on rows, many at once. It stops when the run is cancelled, the API key is refused, or the service fails many
 * times in a row.
 */
export async function workOn<Item, Result extends { readonly error?: AudienceError }>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { reporter, cancelled }: Pick<Host, 'reporter' | 'cancelled'>,
): Promise<Worked<Result>> {
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
      else if (failedInARow >= GIVE_UP_AFTER)
        stopped ??= `the service failed ${GIVE_UP_AFTER} times in a row`;
      done += 1;
      if (items.length >= PROGRESS_FROM && done % step === 0 && done < items.length) {
        reporter.info(`Contacts: ${digits(done)} of ${digits(items.length)} done.`);
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(PARALLEL, items.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return { results, stopped };
}

const CANCELLED = 'the run was cancelled';

/** Failures with their causes, for people: those with one cause are one sentence. */
export function groupedByReason(
  failures: readonly { readonly location: string; readonly reason: string }[],
): string[] {
  const byReason = new Map<string, string[]>();
  for (const { location, reason } of failures) {
    const locations = byReason.get(reason);
    if (locations === undefined) byReason.set(reason, [location]);
    else locations.push(location);
  }
  return [...byReason].map(([reason, locations]) => {
    const shown = locations.slice(0, 3).join(', ');
    const rest = locations.length - 3;
    return `${shown}${rest > 0 ? ` and ${digits(rest)} more` : ''}: ${reason}`;
  });
}

/** Codes of failures that are of the service, and not of one contact. */
const OF_SERVICE: readonly string[] = ['network', 'timeout', 'server', 'rate_limit'];

/** What failed, by the code of the client's error: the client's own words name the contact. */
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

/** The same of failures to which the service's own words are added. */
const REFUSALS: Readonly<Record<string, string>> = {
  invalid_request: 'the service refuses the values of this row',
  conflict: 'the service refuses it, perhaps as another contact has its email or userId',
  rejected: 'the service refuses it, perhaps as another contact has its email or userId',
  unexpected_response: 'the service gave a response that its API does not describe',
};

/** Why a call for a row failed, without a value of the row. */
export function textOfFailure(error: AudienceError, row: DeclaredRow): string {
  const { code, status, networkCode } = error;
  const detail = code === 'timeout' || code === 'aborted' ? undefined : (networkCode ?? status);
  const known = FAILURES[code];
  const what = known ?? REFUSALS[code] ?? 'the service did not carry it out';
  return `${what}${detail === undefined ? '' : ` (${detail})`}${known === undefined ? serviceWords(error, row) : ''}`;
}

/** The service's own sentence, without a value of the row. */
function serviceWords(
  { serviceMessage: said }: AudienceError,
  { email, userId, values }: DeclaredRow,
): string {
  if (said === undefined) return '';
  // Texts long enough to name a person.
  const texts = [email, userId, ...Object.values(values)].flatMap((value) =>
    typeof value === 'string' && value.length > 2 ? [value, encodeURIComponent(value)] : [],
  );
  return `: "${texts.reduce((text, value) => text.replaceAll(value, '…'), said)}"`;
}
