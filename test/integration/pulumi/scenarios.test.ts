import { nativeStandIn, standIn } from '../../hosts/pulumi/index.js';
import { contacts } from '../../hosts/pulumi/scenarios/contacts.js';
import { lifecycle } from '../../hosts/pulumi/scenarios/lifecycle.js';
import { native } from '../../hosts/pulumi/scenarios/native.js';
import { schema } from '../../hosts/pulumi/scenarios/schema.js';

/**
 * One way through the whole for each resource, on the stand-in. What resources do is held by their unit tests and by
 * the model of random histories. All scenarios run with `npm run test:hosts`.
 */
jest.setTimeout(600_000);

const SHOWN = [
  'a property that exists with this type',
  'a contact that does not exist is created by its event',
  'contacts that fail are named by line',
  'functions read contacts, properties, groups and designs',
];

/** What the plugin's process adds to that: its adapter is held by its unit tests, which speak gRPC too. */
const SHOWN_NATIVELY = [
  'pulumi-nodejs:dynamic/audience:* is carried over',
  'import of a contact by ada@example.com',
];

const all = [...lifecycle, ...contacts, ...schema, ...native];

describe.each([
  { name: standIn.name, engine: standIn, parts: SHOWN },
  { name: nativeStandIn.name, engine: nativeStandIn, parts: SHOWN_NATIVELY },
])('on the $name', ({ engine, parts }) => {
  const shown = parts.map((part) => [part, all.find(({ name }) => name.includes(part))] as const);
  test.each(shown.map(([part, scenario]) => [scenario?.name ?? part, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      expect(scenario).toBeDefined();
      await scenario?.run(engine);
    },
  );
});
