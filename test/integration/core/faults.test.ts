import { AudienceClient } from 'audience-core';
import { startSandbox } from 'audience-sandbox';
import type { NewFault, RunningSandbox } from 'audience-sandbox';

jest.setTimeout(120_000);

let sandbox: RunningSandbox;

beforeEach(async () => {
  sandbox = await startSandbox({
    seed: { designs: [{ id: 'welcome', name: 'Welcome' }], contacts: [{ email: 'ada@example.com' }] },
  });
});
afterEach(() => sandbox.close());

/** Mixed faults that hit about a fifth of the calls. */
const MIXED: readonly NewFault[] = [
  { every: 25, cut: true },
  { every: 25, cut: true, when: 'after' },
  { every: 25, respond: { status: 500 }, when: 'after' },
  { every: 33, respond: { status: 503, headers: { 'Retry-After': 0.05 } } },
  { every: 33, respond: { status: 429, headers: { 'Retry-After': 0.05 } } },
  { every: 100, hang: true, when: 'after' },
  { every: 100, hang: true },
];

test('1,000 emails at 20 % faults of mixed kinds: each arrives once, and attempts are counted correctly', async () => {
  for (const fault of MIXED) sandbox.faults.next(fault);
  const audience = new AudienceClient({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    // Only what hangs is to time out, also on a machine that is busy: the log has no request that nobody read.
    timeoutMs: 3_000,
    maxRetries: 12,
    concurrency: 32,
  });
  const results = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) =>
      audience.transactional.send({ email: `person-${index}@example.com`, transactionalId: 'welcome' }),
    ),
  );
  audience.close();

  const recipients = sandbox.emails().map(({ to }) => to);
  expect(recipients).toHaveLength(1_000);
  expect(new Set(recipients).size).toBe(1_000);

  const seen = sandbox.requests();
  const faulty = seen.filter(({ fault }) => fault !== null).length;
  expect(faulty / seen.length).toBeGreaterThan(0.12);
  expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200, 429, 500, 503, null]));
  expect(results.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(seen.length);
  for (const { idempotencyKey, attempts } of results) {
    expect(seen.filter((call) => call.idempotencyKey === idempotencyKey)).toHaveLength(attempts);
  }
});

test('properties at 30 % faults are created at most once, and only those are reported as created', async () => {
  for (const fault of MIXED) {
    const every = Math.round((fault.every ?? 1) / 1.5);
    sandbox.faults.next({ ...fault, every, route: 'createContactProperty' });
  }
  const audience = new AudienceClient({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    timeoutMs: 300,
    maxRetries: 12,
  });
  const names = Array.from({ length: 100 }, (_, index) => `property${index}`);
  const ends = await Promise.allSettled(
    names.map((name) => audience.properties.create({ name, type: 'number' })),
  );
  const listed = (await audience.properties.list({ list: 'custom' })).map(({ key }) => key);
  for (const [index, name] of names.entries()) {
    const end = ends[index];
    if (end?.status === 'fulfilled') expect(listed).toContain(name);
    else expect(end?.reason).toMatchObject({ unclear: true });
  }
  expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(names.length / 5);
  const created = sandbox
    .requests()
    .filter(({ route, applied }) => route === 'createContactProperty' && applied)
    .map(({ requestBody }) => JSON.stringify(requestBody));
  expect(new Set(created).size).toBe(created.length);
  audience.close();
});
