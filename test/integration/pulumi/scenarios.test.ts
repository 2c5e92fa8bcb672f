import { standIn } from '../../hosts/pulumi/index.js';
import { contacts } from '../../hosts/pulumi/scenarios/contacts.js';
import { schema } from '../../hosts/pulumi/scenarios/schema.js';

/**
 * One way through the whole for resources and functions, on the stand-in. What resources do is held by their unit tests and by
 * the model of random histories. All scenarios run on the real engine with `npm run test:hosts`.
 */
jest.setTimeout(600_000);

const SHOWN = [
  'contacts that fail are named by line',
  'functions read contacts, properties, groups and designs',
];

const all = [...contacts, ...schema];

const shown = SHOWN.map((part) => [part, all.find(({ name }) => name.includes(part))] as const);
test.each(shown.map(([part, scenario]) => [scenario?.name ?? part, scenario] as const))(
  'on the stand-in: %s',
  async (_name, scenario) => {
    expect(scenario).toBeDefined();
    await scenario?.run(standIn);
  },
);
