import { isRecord } from 'audience-core/internal';
import type { dynamic } from '@pulumi/pulumi';
import type { ReadSetting } from '../engine/connection.js';
import { openRun } from '../engine/connection.js';
import { asProblems, isForPeople } from '../engine/errors.js';
import { fromEngine, toEngine } from '../engine/codec.js';
import { Secrets } from '../engine/secrets.js';
import { inputsOf } from '../resources/behaviour.js';
import type { Behaviour } from '../resources/behaviour.js';
import { PartialFailure, problem } from '../resources/errors.js';
import type { Reporter } from '../resources/host.js';
import type { Raw } from '../resources/raw.js';
import type { Run } from '../resources/run.js';
import { SECRET_INPUTS } from './inputs.js';

/** What a provider forwards the engine's calls to. */
export type Methods = Required<Omit<dynamic.ResourceProvider, 'configure'>>;

/** What calls need of their process. */
export interface Calls {
  /** Opens the run when it is first needed: a setting that cannot work is told by the call that needs it. */
  readonly run: () => Run;
  readonly secrets: Secrets;
}

// What a provider process prints is shown to the person, below the stack.
const reporter: Reporter = {
  info: (message) => console.log(message),
  warn: (message) => console.warn(`warning: ${message}`),
};

/** The engine names itself in the last argument of a provider process. */
export function engineAddress(): string {
  return process.argv.at(-1) ?? '';
}

/** Calls against the service that these settings name. */
export function callsOf(read: ReadSetting): Calls {
  const secrets = new Secrets();
  let run: Run | undefined;
  return { secrets, run: () => (run ??= openRun(read, { reporter: secrets.hiddenFrom(reporter) })) };
}

/** The engine's calls for one type of resource, in one run. */
export function methodsOf(behaviour: Behaviour, { run, secrets }: Calls): Methods {
  /** Properties for the behaviour, and for the engine what belongs to all of them. */
  const read = (properties: unknown): { readonly own: Raw; readonly kept: Raw } => {
    const { [SECRET_INPUTS]: names, ...own } = fromEngine(properties);
    if (Array.isArray(names)) for (const name of names) secrets.add(own[String(name)]);
    return { own, kept: names === undefined ? {} : { [SECRET_INPUTS]: names } };
  };
  /** Errors for people lose their stack and secret values, faults of ours keep both. */
  const shown = async <Result>(work: () => Promise<Result>, kept: Raw = {}): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PartialFailure))
        throw isForPeople(error) ? new PlainError(secrets.hide(error.message)) : error;
      const { id, outs } = error;
      const reasons = error.reasons.map((reason) => secrets.hide(reason));
      // The engine keeps these properties, and the next run calls update with them.
      const made = { id, properties: { ...toEngine(outs), ...kept }, reasons };
      throw Object.assign(new PlainError(reasons.join('\n')), made);
    }
  };
  return {
    async check(olds, news) {
      const { own, kept } = read(news);
      const checked = await asProblems(async () => behaviour.check(read(olds).own, own, run()));
      const failures = checked.problems.map(({ property, reason }) =>
        problem(secrets.hide(reason), property),
      );
      return { inputs: toEngine({ ...(checked.inputs ?? own), ...kept }), failures };
    },
    diff(id, olds, news) {
      return shown(async () => {
        const { changes, replaces } = await behaviour.diff(id, read(olds).own, read(news).own, run());
        return { changes, ...(replaces === undefined ? {} : { replaces: [...replaces] }) };
      });
    },
    async create(inputs) {
      const { own, kept } = read(inputs);
      const work = async () => behaviour.create(own, run());
      const { id, outs } = await shown(work, { ...kept, ...providerOf(inputs) });
      return { id, outs: toEngine({ ...outs, ...kept }) };
    },
    async read(id, props) {
      const { own, kept } = read(props);
      const found = await shown(async () => behaviour.read(id, own, run()));
      if (found === undefined) return { id: '' };
      const inputs = inputsOf(behaviour, found.outs);
      return {
        id: found.id,
        props: toEngine({ ...found.outs, ...kept }),
        inputs: toEngine({ ...inputs, ...kept }),
      };
    },
    async update(id, olds, news) {
      const { own, kept } = read(news);
      const work = async () => behaviour.update(id, read(olds).own, own, run());
      const { outs } = await shown(work, { ...kept, ...providerOf(news) });
      return { outs: toEngine({ ...outs, ...kept }) };
    },
    delete(id, props) {
      return shown(async () => behaviour.delete(id, read(props).own, run()));
    },
  };
}

/** An error without a stack: the provider process prints some errors with theirs. */
class PlainError extends Error {
  override readonly stack = '';

  override toString(): string {
    return this.message;
  }
}

/** The provider's own text in the properties: what the engine finds the provider by. */
function providerOf(properties: unknown): Record<string, unknown> {
  const provider = isRecord(properties) ? properties['__provider'] : undefined;
  return { __provider: provider };
}
