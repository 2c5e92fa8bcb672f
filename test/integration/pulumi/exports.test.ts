import path from 'node:path';
import type * as pulumi from '@pulumi/pulumi';
import handlers from 'pulumi-audience/handlers';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { resourcesOf } from '../../demo/in-process.js';

const FOLDER = path.resolve(__dirname, '../../../pulumi-provider/examples/exports');
const ADA = { firstName: 'Ada', lastName: 'Lovelace' };
const GRACE = { firstName: 'Grace' };
const seconds = (iso: string): number => Date.parse(iso) / 1000;
const [JANUARY, FEBRUARY] = [seconds('2024-01-05T10:22:00Z'), seconds('2024-02-10T07:01:00Z')];

let sandbox: RunningSandbox;
const home = process.cwd();

beforeAll(async () => {
  sandbox = await startSandbox({
    seed: {
      properties: [
        { name: 'signedUp', type: 'date' },
        { name: 'planName', type: 'string' },
        { name: 'stripeCustomer', type: 'string' },
        { name: 'orders', type: 'number' },
      ],
      contacts: ['ada', 'grace', 'zoe'].map((name) => ({ email: `${name}@example.com` })),
    },
  });
  // A program and its provider run in the folder of the program.
  process.chdir(FOLDER);
});

afterAll(async () => {
  process.chdir(home);
  await sandbox.close();
});

beforeEach(() => {
  sandbox.reset();
  jest.spyOn(console, 'log').mockReturnValue();
});

interface Provider {
  check?: pulumi.dynamic.ResourceProvider['check'];
  create?: pulumi.dynamic.ResourceProvider['create'];
}

/** What the example of each vendor writes, by the name in the address. */
const WRITTEN: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  mailchimp: {
    ada: { ...ADA, signedUp: seconds('2024-01-05T10:22:33Z') },
    grace: { ...GRACE, signedUp: seconds('2024-02-10T07:01:59Z') },
  },
  hubspot: {
    ada: { ...ADA, signedUp: JANUARY },
    grace: { ...GRACE, lastName: 'Hopper', signedUp: FEBRUARY, subscribed: false },
  },
  stripe: {
    ada: { stripeCustomer: 'cus_EXAMPLE0000001', planName: 'pro-monthly', signedUp: JANUARY },
    grace: { stripeCustomer: 'cus_EXAMPLE0000002', signedUp: FEBRUARY },
  },
  shop: {
    ada: { ...ADA, orders: 3, subscribed: true },
    zoe: { firstName: 'Zoë', lastName: 'Müller', orders: 0, subscribed: false },
  },
};

test.each(Object.entries(WRITTEN))(
  'the export of %s is written with columns, and says who wants no mail',
  async (vendor, expected) => {
    const [declared] = await resourcesOf(path.join(FOLDER, `${vendor}.ts`));
    const inputs: Readonly<Record<string, unknown>> = declared?.inputs ?? {};
    const options = Object.keys(inputs).filter((name) => !name.startsWith('__') && name !== 'declaredBy');
    const others = options.filter((name) => name !== 'consent' && inputs[name] !== undefined);
    expect(others.sort()).toEqual(['columns', 'file']);
    const provider: Provider = {};
    const settings = new Map([
      ['audience:baseUrl', sandbox.url],
      ['audience:apiKey', sandbox.apiKey],
      // Programs with the same settings share a run.
      ['audience:movedFrom', `https://${vendor}.example.com`],
    ]);
    const handler = handlers['contacts'];
    await handler?.configure.call(provider, { config: { get: (key: string) => settings.get(key) } });
    const checked = await provider.check?.({}, inputs);
    expect(checked?.failures).toEqual([]);
    await provider.create?.(checked?.inputs);
    const written = (await sandbox.contacts()).map(({ properties, ...fields }) => ({
      ...fields,
      ...properties,
    }));
    for (const [name, fields] of Object.entries(expected))
      expect(written).toContainEqual(expect.objectContaining({ email: `${name}@example.com`, ...fields }));
  },
);
