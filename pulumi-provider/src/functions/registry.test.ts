import { AudienceApi, TransportFailure } from 'audience-core/internal';
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
    await expect(invoke(one, args, client)).rejects.toHaveProperty('code', 'deadline');
    expect(now).toBeLessThanOrEqual(15_000);
  },
);
