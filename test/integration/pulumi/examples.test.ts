import { examples } from '../../hosts/pulumi/scenarios/examples.js';
import { standIn } from '../../hosts/pulumi/index.js';

jest.setTimeout(120_000);

describe('the examples, on the stand-in', () => {
  test.each(examples.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    await scenario.run(standIn);
  });
});
