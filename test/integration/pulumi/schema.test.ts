import { schema } from '../../hosts/pulumi/scenarios/schema.js';
import { standIn } from '../../hosts/pulumi/index.js';

jest.setTimeout(120_000);

describe('schema, functions and export, on the stand-in', () => {
  test.each(schema.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    await scenario.run(standIn);
  });
});
