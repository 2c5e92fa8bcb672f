import './supported-node.js';
import type { dynamic } from '@pulumi/pulumi';
import type { Behaviour } from '../resources/behaviour.js';
import type { Process } from '../engine/calls.js';
import { registry } from '../engine/registry.js';
import { openRun, settingsSchema } from '../engine/connection.js';
import { endWithEngine } from '../engine/engine-watch.js';
import { Secrets } from '../engine/secrets.js';
import type { Run } from '../resources/run.js';
import { methodsOf } from './methods.js';

// The engine names itself in the last argument of a provider process.
endWithEngine(process.argv.at(-1) ?? '');

type ConfigReader = Pick<dynamic.Config, 'get'>;

// Pulumi shows what a provider process prints.
const printed = {
  info: (message: string) => console.log(message),
  warn: (message: string) => console.warn(`warning: ${message}`),
};

/** A process is configured once for each type of resource: those with the same settings share a run. */
const processes = new Map<string, Process>();

function processFor(config: ConfigReader): Process {
  const read = (name: string): string | undefined => config.get(`audience:${name}`);
  const key = JSON.stringify(Object.keys(settingsSchema.shape).map((name) => read(name) ?? ''));
  const secrets = new Secrets();
  let run: Run | undefined;
  const opened = () => (run ??= openRun(read, { reporter: secrets.reporterOf(printed) }));
  const process = processes.get(key) ?? { secrets, run: opened };
  processes.set(key, process);
  return process;
}

function handlerOf(behaviour: Behaviour) {
  return {
    // Synchronous: other calls may arrive before the engine has seen it finish.
    configure(this: object, { config }: { readonly config: ConfigReader }): Promise<void> {
      Object.assign(this, methodsOf(behaviour, processFor(config)));
      return Promise.resolve();
    },
  };
}

/** By the names in the registry, for `providers/*.js`. */
const handlers = Object.fromEntries(
  Object.entries(registry).map(([name, behaviour]) => [name, handlerOf(behaviour)]),
);
export = handlers;
