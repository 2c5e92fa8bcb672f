import { isRecord } from 'audience-core/internal';
import type { dynamic } from '@pulumi/pulumi';
import type { ReadSetting } from '../engine/connection.js';
import { asProblems } from '../engine/errors.js';
import { openRun } from '../engine/open-run.js';
import { fromEngine, toEngine } from '../engine/codec.js';
import { inputsOf } from '../resources/behaviour.js';
import type { Behaviour } from '../resources/behaviour.js';
import type { Reporter } from '../resources/host.js';
import type { Run } from '../resources/run.js';
import { forPeople } from './errors.js';

/** What a provider forwards the engine's calls to. */
export interface Methods {
  check(olds: unknown, news: unknown): Promise<dynamic.CheckResult>;
  diff(id: string, olds: unknown, news: unknown): Promise<dynamic.DiffResult>;
  create(inputs: unknown): Promise<dynamic.CreateResult>;
  read(id: string, props: unknown): Promise<dynamic.ReadResult>;
  update(id: string, olds: unknown, news: unknown): Promise<dynamic.UpdateResult>;
  delete(id: string, props: unknown): Promise<void>;
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

/** One run, opened when it is first needed: a setting that cannot work is told by the call that needs it. */
export type OpenRun = () => Run;

export function runOf(read: ReadSetting): OpenRun {
  let run: Run | undefined;
  return () => (run ??= openRun(read, engineAddress(), { reporter }));
}

/** The engine's calls for one type of resource, in one run. */
export function methodsOf(behaviour: Behaviour, open: OpenRun): Methods {
  return {
    async check(olds, news) {
      const inputs = fromEngine(news);
      const checked = await asProblems(async () => behaviour.check(fromEngine(olds), inputs, open()));
      const failures = [...checked.problems];
      return { inputs: toEngine(checked.inputs ?? inputs), failures };
    },
    diff(id, olds, news) {
      return forPeople(async () => {
        const { changes, replaces } = await behaviour.diff(id, fromEngine(olds), fromEngine(news), open());
        return { changes, ...(replaces === undefined ? {} : { replaces: [...replaces] }) };
      });
    },
    async create(inputs) {
      const work = async () => behaviour.create(fromEngine(inputs), open());
      const { id, outs } = await forPeople(work, providerOf(inputs));
      return { id, outs: toEngine(outs) };
    },
    async read(id, props) {
      const found = await forPeople(async () => behaviour.read(id, fromEngine(props), open()));
      if (found === undefined) return { id: '' };
      const inputs = inputsOf(behaviour, found.outs);
      return { id: found.id, props: toEngine(found.outs), inputs: toEngine(inputs) };
    },
    async update(id, olds, news) {
      const work = async () => behaviour.update(id, fromEngine(olds), fromEngine(news), open());
      const { outs } = await forPeople(work, providerOf(news));
      return { outs: toEngine(outs) };
    },
    delete(id, props) {
      return forPeople(async () => behaviour.delete(id, fromEngine(props), open()));
    },
  };
}

/** The provider's own text in the properties: what the engine finds the provider by. */
function providerOf(properties: unknown): Record<string, unknown> {
  const provider = isRecord(properties) ? properties['__provider'] : undefined;
  return { __provider: provider };
}
