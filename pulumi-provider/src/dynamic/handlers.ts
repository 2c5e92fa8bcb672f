import type { Behaviour } from '../resources/behaviour.js';
import { registry } from '../resources/registry.js';
import type { ConfigReader } from '../engine/connection.js';
import { endWithEngine } from '../engine/engine-watch.js';
import { engineAddress, methodsOf, runOf } from './methods.js';
import type { OpenRun } from './methods.js';

/** What a provider becomes when the engine configures it. */
interface Handler {
  /** Gives the provider that it is called on its methods, for this configuration. */
  configure(this: object, request: { readonly config: ConfigReader }): Promise<void>;
}

const SETTINGS = ['baseUrl', 'apiKey', 'requestsPerSecond', 'concurrency', 'allowInsecure'];

/**
 * A provider process serves one engine and one stack, and is configured once for each type of resource: those with
 * the same settings share what a run knows.
 */
const runs = new Map<string, OpenRun>();
endWithEngine(engineAddress());

function runFor(config: ConfigReader): OpenRun {
  const key = JSON.stringify(SETTINGS.map((name) => config.get(`audience:${name}`) ?? ''));
  const run = runs.get(key) ?? runOf(config);
  runs.set(key, run);
  return run;
}

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
