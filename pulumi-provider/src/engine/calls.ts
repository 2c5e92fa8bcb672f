import { AudienceError } from 'audience-core';
import { inputsOf, type Behaviour, type Checked } from '../resources/behaviour.js';
import { sentence } from 'audience-core/internal';
import { problem, textOf, type Problem } from '../messages/index.js';
import { causeOf, ResourceError } from '../resources/errors.js';
import type { Raw } from '../resources/raw.js';
import type { Run } from '../resources/run.js';
import type { Secrets } from './secrets.js';

export interface Process {
  /** The run; the first call opens it and reports settings that cannot work. */
  readonly run: () => Run;
  readonly secrets: Secrets;
}

/** Reads the properties of one call, and writes them with the same secrets. */
export interface CallValues<Written> {
  /** @param isCurrent whether the properties are of this run, not of an earlier one. */
  read(properties: unknown, isCurrent: boolean): Raw;
  write(properties: Raw): Written;
}

/** An error without a stack: the provider process would print it. */
export class CallError extends Error {
  override readonly stack = '';

  constructor(
    message: string,
    /** The same as data, for tests. */
    readonly problems: readonly Problem[],
    // Of a partial failure, by the names that Pulumi's SDK reads.
    readonly id?: string,
    readonly properties?: unknown,
    readonly reasons: readonly string[] = [],
  ) {
    super(message);
  }

  override toString(): string {
    return this.message;
  }
}

/** The engine's calls for one type of resource. */
export function callsOf<Written>(
  behaviour: Behaviour,
  { run, secrets }: Process,
  newValues: () => CallValues<Written>,
) {
  const call = callWith(newValues, secrets);
  return {
    check: (olds: unknown, news: unknown) =>
      call(olds, news, async (before, declared, values) => {
        const check = async () => behaviour.check(before, declared, run());
        const { problems, inputs } = await check().catch((error: unknown): Checked => {
          // A setting, a key or a file that cannot work is a problem of the inputs.
          if (!isForPeople(error)) throw error;
          return { problems: problemsOf(error, secrets), inputs: declared };
        });
        const failures = problems.map((one) => ({ ...one, reason: secrets.textOf(one) }));
        return { inputs: values.write(inputs), failures };
      }),

    diff: (id: string, olds: unknown, news: unknown) =>
      call(olds, news, async (outs, inputs) => {
        const { changes, replaces = [] } = await behaviour.diff(id, outs, inputs, run());
        return { changes, replaces: [...replaces] };
      }),

    create: (news: unknown) =>
      call(undefined, news, async (_, inputs, values) => {
        const { id, outs } = await behaviour.create(inputs, writing(run()));
        return { id, outs: values.write(outs) };
      }),

    /** Compares state with the service; without state, imports the resource that `id` names. */
    read: (id: string, properties: unknown) =>
      call(undefined, properties, async (_, outs, values) => {
        const isImport = Object.keys(outs).length === 0;
        const found = await (isImport ? behaviour.import?.(id, run()) : behaviour.read(id, outs, run()));
        const { id: foundId = '', outs: current = {} } = found ?? {};
        const inputs = inputsOf(behaviour, current);
        const isKept = behaviour.keepsInputs === true && !isImport;
        return {
          id: foundId,
          props: values.write(current),
          ...(!isKept && { inputs: values.write(inputs) }),
        };
      }),

    update: (id: string, olds: unknown, news: unknown) =>
      call(olds, news, async (before, inputs, values) => {
        const { outs } = await behaviour.update(id, before, inputs, writing(run()));
        return { outs: values.write(outs) };
      }),

    delete: (id: string, properties: unknown) =>
      call(undefined, properties, (_, outs) => behaviour.delete(id, outs, run())),
  };
}

/** A run whose process has begun to write: it is no preview. */
function writing(run: Run): Run {
  run.creations.isWriting = true;
  return run;
}

/** Makes calls with values of their own, whose errors are those that the engine shows. */
function callWith<Written>(newValues: () => CallValues<Written>, secrets: Secrets) {
  return async <Result>(
    olds: unknown,
    news: unknown,
    work: (before: Raw, current: Raw, values: CallValues<Written>) => Promise<Result>,
  ): Promise<Result> => {
    const values = newValues();
    const [before, current] = [values.read(olds, false), values.read(news, true)];
    try {
      return await work(before, current, values);
    } catch (error) {
      throw asCallError(error, secrets, (outs) => values.write(outs));
    }
  };
}

/** An error for the user as the engine shows it, with the state of a partial failure; another one unchanged. */
export function asCallError(
  error: unknown,
  secrets: Secrets,
  write: (outs: Raw) => unknown = (outs) => outs,
): unknown {
  if (!isForPeople(error)) return error;
  const problems = problemsOf(error, secrets);
  const texts = problems.map((one) => sentence(secrets.textOf(one)));
  const done = error instanceof ResourceError ? error.done : undefined;
  if (done === undefined) return new CallError(texts.join('\n'), problems);
  return new CallError(texts.join('\n'), problems, done.id, write(done.outs), texts);
}

/** An error whose message the user reads. */
type ErrorForPeople = AudienceError | ResourceError;

export function isForPeople(error: unknown): error is ErrorForPeople {
  return error instanceof AudienceError || error instanceof ResourceError;
}

/** What an error says. A message of the core may show a contact, so it is left out where values are secrets. */
function problemsOf(error: ErrorForPeople, secrets: Secrets): readonly Problem[] {
  if (error instanceof ResourceError) return error.reasons;
  const shown = secrets.isEmpty
    ? problem('text', { text: error.message })
    : problem('service.failed', { cause: causeOf(error) });
  return [error.code === 'keyRefused' ? problem('service.key', { text: sentence(textOf(shown)) }) : shown];
}
