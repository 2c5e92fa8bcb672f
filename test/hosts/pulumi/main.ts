// Runs the Pulumi scenarios on the real CLI; without one, it says that none ran. With an argument, only those whose name
// holds that text.
import type { Preset } from 'audience-sandbox';
import { Tally, twoAtATime } from '../tally.js';
import { endProgramHosts } from './cli/program-host.js';
import { findCli, type Engine, type ProviderKind } from './engine.js';
import { commands } from './scenarios/commands.js';
import { contacts } from './scenarios/contacts.js';
import { creation } from './scenarios/creation.js';
import { examples } from './scenarios/examples.js';
import { faults } from './scenarios/faults.js';
import { ignored } from './scenarios/ignored.js';
import { lifecycle } from './scenarios/lifecycle.js';
import { nativeCommands } from './scenarios/native-commands.js';
import { native } from './scenarios/native.js';
import { services } from './scenarios/services.js';
import { state } from './scenarios/state.js';
import { wrongInput } from './scenarios/wrong-input.js';
import { inWorld, type Scenario } from './scenarios/world.js';

/** Run against other kinds of services. Those that say 400 of who does not exist refuse it: only a 404 means nobody. */
const OF_EACH_SERVICE = 'a contact that does not exist is created by its event';

/** Life of each resource, on both adapters. What else they do differently is held by their unit tests. */
const OF_BOTH = [...lifecycle, ...state, ...ignored, ...services, ...creation];

/** Every scenario by the adapter it runs on, unless it names one: the resources behind both are the same. */
const OF_ADAPTER: Readonly<Record<ProviderKind, readonly Scenario[]>> = {
  dynamic: [...OF_BOTH, ...wrongInput, ...contacts, ...examples, ...commands],
  native: [...OF_BOTH, ...native, ...examples, ...nativeCommands],
};

/** All scenarios, each with its engine, and what that is called. The longest begin first. */
async function played(): Promise<{ name: string; scenario: Scenario; engine: Engine }[]> {
  const all = async (provider: ProviderKind, scenarios: readonly Scenario[], service?: Preset) => {
    const found = await findCli(provider);
    if (found === undefined) return [];
    const engine = { ...found, keepsPrograms: true, ...(service === undefined ? {} : { service }) };
    const on = service === undefined ? provider : `a service of the kind ${service}`;
    return scenarios
      .filter(({ only = provider }) => only === provider)
      .map((scenario) => ({ name: `${scenario.name} (${on})`, scenario, engine }));
  };
  const ofService = lifecycle.filter(({ name }) => name.startsWith(OF_EACH_SERVICE));
  return [
    ...(await all('native', [...faults, ...OF_ADAPTER.native])),
    ...(await all('dynamic', [...faults, ...OF_ADAPTER.dynamic])),
    ...(await all('native', ofService, 'awkward')),
  ];
}

async function main(only = ''): Promise<void> {
  const tally = new Tally();
  const all = await played();
  console.log(`Pulumi: ${all[0]?.engine.name ?? 'no CLI on the PATH'}`);
  await twoAtATime(
    all.filter(({ name }) => name.includes(only)),
    ({ name, scenario, engine }) =>
      tally.attempt(name, () => inWorld(engine, scenario, (world) => scenario.play(world))),
  );
  endProgramHosts();
  console.log(
    all.length === 0
      ? 'Pulumi engine: NO PULUMI CLI ON THE PATH, SO NO SCENARIO RAN ON THE REAL ENGINE'
      : `Pulumi engine: ${tally.score} scenarios passed on the real one`,
  );
  tally.end();
}

void main(process.argv[2]);
