import type { dynamic } from '@pulumi/pulumi';
import type { Behaviour } from '../resources/behaviour.js';
import type { Process } from '../engine/calls.js';
import { registry } from '../engine/registry.js';
import { SETTINGS } from '../engine/connection.js';
import type { ReadSetting } from '../engine/connection.js';
import { endWithEngine } from '../engine/engine-watch.js';
import { methodsOf, processFor } from './methods.js';

// The engine names itself in the last argument of a provider process.
endWithEngine(process.argv.at(-1) ?? '');

/** Pulumi's configuration. */
type ConfigReader = Pick<dynamic.Config, 'get'>;

/** What a provider becomes when the engine configures it. */
interface Handler {
  configure(this: object, request: { readonly config: ConfigReader }): Promise<void>;
}

/**
 * A provider process serves one engine and one stack, and is configured once for each type of resource: those with
 * the same settings share what a run knows.
 */
const runs = new Map<string, Process>();

function runFor(config: ConfigReader): Process {
  const read: ReadSetting = (name) => config.get(`audience:${name}`);
  const key = JSON.stringify(SETTINGS.map((name) => read(name) ?? ''));
  const run = runs.get(key) ?? processFor(read);
  runs.set(key, run);
  return run;
}

/** Gives the provider that it is called on its methods, when the engine configures it. */
function handlerOf(behaviour: Behaviour): Handler {
  return {
    // Synchronous up to its end: calls of other resources may come before the engine has seen it finish.
    configure({ config }) {
      Object.assign(this, methodsOf(behaviour, runFor(config)));
      return Promise.resolve();
    },
  };
}

/** A handler for each type of resource of the registry, by its name there: `providers/*.js` ask for them. */
const handlers = Object.fromEntries(
  Object.entries(registry).map(([name, behaviour]) => [name, handlerOf(behaviour)]),
);
export = handlers;
