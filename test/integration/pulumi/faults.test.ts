import { faults } from '../../hosts/pulumi/scenarios/faults.js';
import { standIn } from '../../hosts/pulumi/index.js';

/** Fewer than `npm run test:hosts` has, as each takes two runs. */
const KILLS = 2;

jest.setTimeout(300_000);

describe('faults and kills, on the stand-in', () => {
  test.each(faults(KILLS).map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      await scenario.run(standIn);
    },
  );
});
