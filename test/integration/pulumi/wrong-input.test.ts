import { wrongInput } from '../../hosts/pulumi/scenarios/wrong-input.js';
import { standIn } from '../../hosts/pulumi/index.js';

jest.setTimeout(120_000);

describe('wrong input, on the stand-in', () => {
  test.each(wrongInput.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      await scenario.run(standIn);
    },
  );
});
