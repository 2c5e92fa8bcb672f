import { state } from '../../hosts/pulumi/scenarios/state.js';
import { standIn } from '../../hosts/pulumi/index.js';

jest.setTimeout(120_000);

describe('state, on the stand-in', () => {
  test.each(state.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    await scenario.run(standIn);
  });
});
