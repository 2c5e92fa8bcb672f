import { AudienceError } from 'audience-core';
import type { CallOptions } from 'audience-core';
import { ResourceError } from '../errors.js';
import type { Host } from '../host.js';
import type { Raw } from '../raw.js';
import { digits } from '../words.js';

/** One thing to do for one contact. */
export interface Task {
  /** Where the contact is declared, for messages. */
  readonly location: string;
  /** What is declared of the contact: no message holds a value of it. */
  readonly fields: Raw;
  run(): Promise<void>;
}

/**
 * Limits of each call among many: waiting for its turn under the client's limits counts, so it gets a quarter of an
 * hour, where a call has two minutes otherwise.
 */
export const IN_BULK: CallOptions = { deadlineMs: 15 * 60_000 };

/** What became of many tasks. */
export interface Outcome {
  readonly succeeded: number;
  /** A sentence for each that failed, in their order, and one for what ended them early. */
  readonly failures: readonly string[];
}

/** Tasks that are worked on at once; the client's limits hold below that. */
const PARALLEL_TASKS = 64;
/** Failures of the whole service, one after the other, after which the rest is not tried. */
const GIVE_UP_AFTER = 25;
/** Faults and failures that are named one by one. */
const NAMED = 100;
/** Progress is told this often in a run, and not for less than so many tasks. */
const PROGRESS_STEPS = 10;
const PROGRESS_FROM = 500;

const CANCELLED = 'the run was cancelled';

/** The sentences, and how many more there are when they are too many to read. */
export function limited(sentences: readonly string[]): string[] {
  const named = sentences.slice(0, NAMED);
  return sentences.length > NAMED ? [...named, `and ${digits(sentences.length - NAMED)} more`] : named;
}

/**
 * Runs the tasks, many at once, and takes each only when it is its turn. Where the tasks end in a ResourceError, what
 * was done until then stays done.
 *
 * @param total how many there are, for the progress that is told on the way.
 */
export async function runAll(
  tasks: Iterable<Task> | AsyncIterable<Task>,
  total: number,
  { reporter, cancelled }: Pick<Host, 'reporter' | 'cancelled'>,
): Promise<Outcome> {
  const failures = new Map<number, string>();
  let [taken, done, succeeded, outOfService] = [0, 0, 0, 0];
  let stopped: string | undefined;
  const step = Math.ceil(total / PROGRESS_STEPS);
  const queue = oneByOne(tasks);
  const worker = async (): Promise<void> => {
    for await (const task of queue) {
      const index = taken++;
      if (cancelled?.aborted === true) stopped ??= CANCELLED;
      if (stopped !== undefined) {
        failures.set(index, `${task.location}: not tried, as ${stopped}`);
        continue;
      }
      try {
        await task.run();
        succeeded += 1;
        outOfService = 0;
      } catch (error) {
        if (!(error instanceof AudienceError) && !(error instanceof ResourceError)) throw error;
        failures.set(index, `${task.location}: ${withoutPerson(error, task.fields)}`);
        const code = error instanceof AudienceError ? error.code : '';
        outOfService = OF_SERVICE.includes(code) ? outOfService + 1 : 0;
        if (code === 'authentication' || code === 'permission') stopped = withoutPerson(error, task.fields);
        else if (outOfService >= GIVE_UP_AFTER)
          stopped = `the service failed ${GIVE_UP_AFTER} times in a row`;
      }
      done += 1;
      if (total >= PROGRESS_FROM && done % step === 0 && done < total) {
        reporter.info(`Contacts: ${digits(done)} of ${digits(total)} done, ${digits(failures.size)} failed.`);
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: PARALLEL_TASKS }, worker));
  for (const end of ends) {
    if (end.status === 'fulfilled') continue;
    if (!(end.reason instanceof ResourceError)) throw end.reason;
    failures.set(taken, end.reason.message);
  }
  const inOrder = [...failures].sort(([a], [b]) => a - b);
  return { succeeded, failures: inOrder.map(([, sentence]) => sentence) };
}

/** A generator that several loops share: it serves them in the order in which they ask. */
async function* oneByOne(tasks: Iterable<Task> | AsyncIterable<Task>): AsyncGenerator<Task, void> {
  yield* tasks;
}

/** Codes of failures that are of the service, and not of one contact. */
const OF_SERVICE: readonly string[] = ['network', 'timeout', 'server', 'rate_limit'];

/** What failed, by the code of the client's error, in words of ours: those of the client quote the contact's address. */
const FAILURES: Readonly<Record<string, string>> = {
  authentication: 'the service does not accept the API key',
  permission: 'the API key is not allowed to do this',
  not_found: 'there is no such contact in the service',
  rate_limit: 'the service is receiving too many requests',
  server: 'the service failed',
  network: 'the service cannot be reached',
  timeout: 'the service did not respond in time',
};

const REFUSED = 'the service refuses it, perhaps as another contact has its email or userId';

/** The same of failures on which the service's own words follow, where it said some. */
const REFUSALS: Readonly<Record<string, string>> = {
  invalid_request: 'the service refuses the values of this record',
  conflict: REFUSED,
  rejected: REFUSED,
  unexpected_response: 'the response of the service is none that its API knows',
};

/** What failed, without a value of the record. */
function withoutPerson(error: AudienceError | ResourceError, fields: Raw): string {
  if (error instanceof ResourceError) return error.message;
  const { code, unclear, status, networkCode } = error;
  if (code === 'aborted')
    return `${unclear ? 'it is not clear whether it was carried out' : 'not finished'}, as ${CANCELLED}`;
  const detail = code === 'timeout' ? undefined : (networkCode ?? status);
  const known = FAILURES[code];
  const what = known ?? REFUSALS[code] ?? 'the service did not carry it out';
  return `${what}${detail === undefined ? '' : ` (${detail})`}${known === undefined ? serviceWords(error, fields) : ''}`;
}

/** The service's own sentence, without a value of the record. */
function serviceWords({ serviceMessage: said }: AudienceError, fields: Raw): string {
  if (said === undefined) return '';
  const hidden = valuesIn(fields).reduce((text, value) => text.replaceAll(value, '…'), said);
  return `: "${hidden}"`;
}

/** Texts long enough to name a person. */
function valuesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < 3 ? [] : [value, encodeURIComponent(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(valuesIn);
}
