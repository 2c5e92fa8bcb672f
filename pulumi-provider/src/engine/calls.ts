import { inputsOf } from '../resources/behaviour.js';
import type { Behaviour, Imported } from '../resources/behaviour.js';
import { PartialFailure, problem } from '../resources/errors.js';
import { UNKNOWN } from '../resources/raw.js';
import type { Raw } from '../resources/raw.js';
import type { Run } from '../resources/run.js';
import { asProblems, isForPeople } from './errors.js';
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
  const hide = (text: string): string => secrets.hide(text);
  const call = async <Result>(
    olds: unknown,
    news: unknown,
    work: (before: Raw, current: Raw, write: (properties: Raw) => Written) => Promise<Result>,
  ): Promise<Result> => {
    const values = newValues();
    const [before, current] = [values.read(olds, false), values.read(news, true)];
    try {
      return await work(before, current, (properties) => values.write(properties));
    } catch (error) {
      if (!isForPeople(error)) throw error;
      if (!(error instanceof PartialFailure)) throw new CallError(hide(error.message));
      const { id, outs, message, reasons } = error;
      throw new CallError(hide(message), id, values.write(outs), reasons.map(hide));
    }
  };
  return {
    check: (olds: unknown, news: unknown) =>
      call(olds, news, async (before, declared, write) => {
        const checked = await asProblems(async () => behaviour.check(before, declared, run()));
        const failures = checked.problems.map(({ property, reason }) => problem(hide(reason), property));
        return { inputs: write(checked.inputs ?? declared), failures };
      }),

    diff: (id: string, olds: unknown, news: unknown) =>
      call(olds, news, async (outs, inputs) => {
        const { changes, replaces = [] } = await behaviour.diff(id, outs, inputs, run());
        return { changes, replaces: [...replaces] };
      }),

    /** State after a create or an update, as a preview knows it. */
    plan: (olds: unknown, news: unknown) =>
      call(olds, news, (before, inputs, write) => {
        // Inputs that are no longer declared are removed; outputs are unknown.
        const kept = Object.entries(before).filter(([name]) => !(name in behaviour.schema.shape));
        const unknown = Object.keys(behaviour.outputs?.shape ?? {}).map((name) => [name, UNKNOWN] as const);
        return Promise.resolve(write({ ...Object.fromEntries([...kept, ...unknown]), ...inputs }));
      }),

    create: (news: unknown) =>
      call(undefined, news, async (_, inputs, write) => {
        const { id, outs } = await behaviour.create(inputs, run());
        return { id, outs: write(outs) };
      }),

    /** Compares state with the service; without state, imports the resource that `id` names. */
    read: (id: string, properties: unknown) =>
      call(undefined, properties, async (_, outs, write) => {
        const isImport = Object.keys(outs).length === 0;
        const found: Imported | undefined = await (isImport
          ? behaviour.import?.(id, run())
          : behaviour.read(id, outs, run()));
        const inputs = found?.inputs ?? inputsOf(behaviour, found?.outs ?? {});
        return { id: found?.id ?? '', props: write(found?.outs ?? {}), inputs: write(inputs) };
      }),

    update: (id: string, olds: unknown, news: unknown) =>
      call(olds, news, async (before, inputs, write) => {
        const { outs } = await behaviour.update(id, before, inputs, run());
        return { outs: write(outs) };
      }),

    delete: (id: string, properties: unknown) =>
      call(undefined, properties, (_, outs) => behaviour.delete(id, outs, run())),
  };
}
