import { lifecycle } from '../../hosts/pulumi/scenarios/lifecycle.js';
import { standIn } from '../../hosts/pulumi/index.js';

jest.setTimeout(120_000);

describe('resources over their life, on the stand-in', () => {
  test.each(lifecycle.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      await scenario.run(standIn);
    },
  );
});
