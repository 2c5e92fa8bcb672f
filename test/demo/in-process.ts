import * as pulumi from '@pulumi/pulumi';
import type { RunningSandbox } from 'audience-sandbox';
import { openRun } from '../../pulumi-provider/src/engine/connection.js';
import { textOf, type Problem } from '../../pulumi-provider/src/messages/index.js';
import { FakeEngine, type Declared } from '../../pulumi-provider/testing/fake-engine.js';
import type { RunOptions, RunResult } from '../hosts/pulumi/engine.js';

/** What one `up` came to. */
export type DemoResult = Pick<RunResult, 'failed' | 'summary' | 'log'>;

/** What the demo needs of a stack. */
export interface DemoStack {
  up(options: Pick<RunOptions, 'onLine'>): Promise<DemoResult>;
}

const TYPES: Readonly<Record<string, Declared['type']>> = {
  'pulumi-nodejs:dynamic/audience:ContactProperty': 'contactProperty',
  'pulumi-nodejs:dynamic/audience:Contact': 'contact',
  'pulumi-nodejs:dynamic/audience:Contacts': 'contacts',
};

/**
 * A program where there is no Pulumi CLI: Pulumi's own mocks run it, and the fake engine of our tests checks, compares and
 * writes with the real provider. State ends with this process.
 */
export async function stackInProcess(programDir: string, sandbox: RunningSandbox): Promise<DemoStack> {
  const settings = new Map([
    ['baseUrl', sandbox.url],
    ['apiKey', sandbox.apiKey],
  ]);
  const engine = new FakeEngine({
    isDead: false,
    open: ({ told = [] }) => {
      const tell = (problem: Problem): number => told.push(textOf(problem));
      return openRun((name) => settings.get(name), { reporter: { info: tell, warn: tell } });
    },
  });
  const program = await resourcesOf(programDir);
  return {
    async up({ onLine }) {
      const before = new Map(engine.state);
      const { errors, told } = await engine.up(program);
      const log = [...told, ...errors];
      const summary = { create: 0, update: 0, replace: 0, same: 0, delete: 0 };
      for (const [key, { outs }] of engine.state) {
        const old = before.get(key);
        const fate = old === undefined ? 'create' : old.outs === outs ? 'same' : 'update';
        summary[fate] += 1;
        log.push(`${key}: ${fate}`);
      }
      for (const line of log) onLine?.(line);
      return { failed: errors.length > 0, summary, log };
    },
  };
}

/** The resources that a program declares, in their order. */
export async function resourcesOf(programDir: string): Promise<Declared[]> {
  const resources: Declared[] = [];
  const newResource = ({ type: token, name, inputs }: Resource): { id: string; state: object } => {
    const type = TYPES[token];
    if (type !== undefined) resources.push({ type, name, inputs: { ...inputs } });
    return { id: name, state: inputs };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) });
  await import(programDir);
  await pulumi.runtime.disconnect();
  return resources;
}

/** What Pulumi's mocks get of a resource. */
interface Resource {
  readonly type: string;
  readonly name: string;
  readonly inputs: object;
}
