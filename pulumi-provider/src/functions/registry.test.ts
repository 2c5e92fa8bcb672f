import { AudienceApi, TransportFailure } from 'audience-core/internal';
import { runOn } from '../../testing/fake-service.js';
import { functions, invoke, type DataFunction } from './registry.js';

const ARGS: Readonly<Record<keyof typeof functions, unknown>> = {
  getContact: { email: 'ada@example.com' },
  getContactProperties: {},
  getContactProperty: { name: 'plan' },
  getSubscriptionGroups: {},
  getSubscriptionGroup: { name: 'News' },
  getTransactionalEmails: {},
  getTransactionalEmail: { name: 'Welcome' },
};

const LISTS: Readonly<Record<string, unknown>> = {
  '/v1/contacts/properties': ['plan', 'seats'].map((key) => ({ key, label: key, type: 'string' })),
  '/v1/subscription-groups': ['News', 'Tips', 'Tips'].map((name, index) => ({
    ...{ id: `g${index}`, name, description: null },
  })),
};

test.each([
  ['getContactProperty', { name: 'seats' }, { key: 'seats' }],
  ['getSubscriptionGroup', { name: 'News' }, { id: 'g0' }],
  ['getSubscriptionGroup', { name: 'Tips' }, 'function.several'],
  ['getSubscriptionGroup', { name: 'news' }, 'function.none'],
] as const)('%s finds %j by its whole name', async (name, args, expected) => {
  const transport = ({ url }: { readonly url: string }) =>
    Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(LISTS[new URL(url).pathname]) });
  const { client } = runOn({ transport });
  const found = invoke<unknown, unknown>(functions[name], args, client);
  await (typeof expected === 'string'
    ? expect(found).rejects.toMatchObject({ reasons: [{ code: expected }] })
    : expect(found).resolves.toMatchObject(expected));
});

test.each(Object.entries<DataFunction>(functions))(
  '%s ends within 15 seconds where the service hangs',
  async (name, one) => {
    let now = 0;
    const wait = (milliseconds: number) => Promise.resolve(void (now += milliseconds));
    const client = new AudienceApi({
      baseUrl: 'https://api.example.com',
      transport: ({ timeoutMs }) =>
        wait(timeoutMs).then(() => Promise.reject(new TransportFailure('timeout'))),
      runtime: { now: () => now, sleep: wait, random: () => 0.5, randomUUID: () => 'key' },
    });
    const args = new Map<string, unknown>(Object.entries(ARGS)).get(name);
    await expect(invoke(one, args, client)).rejects.toHaveProperty('code', 'noResponse');
    expect(now).toBeLessThanOrEqual(15_000);
  },
);
