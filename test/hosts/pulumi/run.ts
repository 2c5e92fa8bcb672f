import { Tally } from '../tally.js';
import { findEngine } from './index.js';
import { commands } from './scenarios/commands.js';
import { contacts } from './scenarios/contacts.js';
import { examples } from './scenarios/examples.js';
import { faults, MANY } from './scenarios/faults.js';
import { lifecycle } from './scenarios/lifecycle.js';
import { clarity, removal } from './scenarios/removal.js';
import { schema } from './scenarios/schema.js';
import { state } from './scenarios/state.js';
import { mistakes, wrongInput } from './scenarios/wrong-input.js';

/** Points at which a run is killed. */
const KILLS = 20;

/** Every scenario, for whichever engine there is. */
export const SCENARIOS = [
  ...removal,
  ...clarity,
  ...lifecycle,
  ...wrongInput,
  ...mistakes,
  ...state,
  ...contacts,
  ...schema,
  ...examples,
  ...faults(KILLS, MANY),
];

/**
 * Runs the Pulumi scenarios on the real CLI where there is one, else on the stand-in, and says which.
 *
 * @param only runs only scenarios whose name holds this text.
 */
export async function runPulumiScenarios(only = ''): Promise<{ passed: number; failed: number }> {
  const engine = await findEngine();
  console.log(`Pulumi: ${engine.name}`);
  const tally = new Tally();
  const scenarios = engine.kind === 'cli' ? [...SCENARIOS, ...commands] : SCENARIOS;
  for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
    await tally.attempt(scenario.name, () => scenario.run(engine));
  }
  return tally;
}
