import { contacts } from '../../hosts/pulumi/scenarios/contacts.js';
import { standIn } from '../../hosts/pulumi/index.js';

jest.setTimeout(120_000);

describe('many contacts, on the stand-in', () => {
  test.each(contacts.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    await scenario.run(standIn);
  });
});
