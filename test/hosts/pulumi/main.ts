// Runs the Pulumi scenarios on the real CLI; without one, it says that none ran. With an argument, only those whose name
// holds that text.
import { Tally, twoAtATime } from '../tally.js';
import { hasHost } from './cli/find.js';
import { endProgramHosts } from './cli/program-host.js';
import { findCli } from './index.js';
import type { Engine, ProviderKind } from './index.js';
import { commands } from './scenarios/commands.js';
import { contacts } from './scenarios/contacts.js';
import { examples } from './scenarios/examples.js';
import { faults, MANY } from './scenarios/faults.js';
import { lifecycle } from './scenarios/lifecycle.js';
import { nativeCommands } from './scenarios/native-commands.js';
import { native } from './scenarios/native.js';
import { absent } from './scenarios/absent.js';
import { people } from './scenarios/people.js';
import { schema } from './scenarios/schema.js';
import { state } from './scenarios/state.js';
import { wrongInput } from './scenarios/wrong-input.js';
import type { Scenario } from './scenarios/world.js';

/** Run against other kinds of services. Those that say 400 of who does not exist refuse it: only a 404 means nobody. */
const OF_EACH_SERVICE = 'a contact that does not exist is created by its event';

/** Life of each resource, on both adapters. What else they do differently is held by their unit tests. */
const OF_BOTH = [...lifecycle, ...state, ...people];

/** Every scenario by the adapter it runs on, unless it names one: the resources behind both are the same. */
const OF_ADAPTER: Readonly<Record<ProviderKind, readonly Scenario[]>> = {
  dynamic: [...OF_BOTH, ...wrongInput, ...contacts, ...schema, ...examples, ...commands],
  native: [...OF_BOTH, ...absent, ...native, ...nativeCommands],
};

function scenariosFor(provider: ProviderKind): readonly Scenario[] {
  return [...OF_ADAPTER[provider], ...faults(MANY)].filter(
    (scenario) => (scenario.only ?? provider) === provider,
  );
}

/** Those whose language has a host here. The others are named, and not counted. */
async function runnable(scenarios: readonly Scenario[]): Promise<readonly Scenario[]> {
  const chosen: Scenario[] = [];
  for (const scenario of scenarios) {
    const { name, language } = scenario;
    if (language === undefined || (await hasHost(language))) chosen.push(scenario);
    else console.log(`  not run, as there is no pulumi-language-${language}: ${name}`);
  }
  return chosen;
}

async function main(only = ''): Promise<void> {
  const tally = new Tally();
  const attempt = (scenarios: readonly Scenario[], engine: Engine, on: string): Promise<void> =>
    twoAtATime(
      scenarios.filter(({ name }) => `${name} (${on})`.includes(only)),
      (scenario) => tally.attempt(`${scenario.name} (${on})`, () => scenario.run(engine)),
    );
  for (const provider of ['dynamic', 'native'] as const) {
    const found = await findCli(provider);
    if (found === undefined) break;
    const engine = { ...found, keepsPrograms: true };
    console.log(`Pulumi: ${engine.name}`);
    await attempt(await runnable(scenariosFor(provider)), engine, provider);
    if (provider === 'dynamic') continue;
    const ofService = lifecycle.filter(({ name }) => name.startsWith(OF_EACH_SERVICE));
    for (const service of ['lean', 'eventual'] as const) {
      await attempt(ofService, { ...engine, service }, `a service of the kind ${service}`);
    }
  }
  endProgramHosts();
  console.log(
    (await findCli('native')) === undefined
      ? 'Pulumi engine: NO PULUMI CLI ON THE PATH, SO NO SCENARIO RAN ON THE REAL ENGINE'
      : `Pulumi engine: ${tally.score} scenarios passed on the real one`,
  );
  tally.end();
}

void main(process.argv[2]);
