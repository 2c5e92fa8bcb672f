import { AudienceClient, defineContactSchema } from 'audience-core';
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
  { percent: 4, seed: 11, cut: true, when: 'before' },
  { percent: 4, seed: 12, cut: true, when: 'after' },
  { percent: 4, seed: 13, status: 500, when: 'after' },
  { percent: 3, seed: 14, status: 503, retryAfter: 0.05 },
  { percent: 3, seed: 15, status: 429, retryAfter: 0.05 },
  { percent: 1, seed: 16, hang: true, when: 'after' },
  { percent: 1, seed: 17, hang: true, when: 'before' },
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
    sandbox.faults.next({ ...fault, percent: (fault.percent ?? 0) * 1.5, route: 'createContactProperty' });
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
  const listed = Object.keys(await audience.contactSchema());
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

test('under a token bucket the client slows down until all calls have succeeded', async () => {
  // Slow enough for a slow machine to be refused, too.
  sandbox.limitRate({ requestsPerSecond: 50, burst: 2 });
  const audience = new AudienceClient({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    maxRetries: 20,
    concurrency: 16,
  });
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      audience.transactional.send({ email: `person-${index}@example.com`, transactionalId: 'welcome' }),
    ),
  );
  expect(sandbox.emails()).toHaveLength(100);
  expect(sandbox.requests({ status: 429 }).length).toBeGreaterThan(0);
  audience.close();
});

test('a garbled answer is an error that says so, and the email was sent once', async () => {
  sandbox.faults.next({ garbage: true, when: 'after' });
  const audience = new AudienceClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  await expect(
    audience.transactional.send({ email: 'ada@example.com', transactionalId: 'welcome' }),
  ).rejects.toMatchObject({ code: 'unexpected_response', attempts: 1 });
  expect(sandbox.emails()).toHaveLength(1);
  audience.close();
});

test('updates with faults end with the wanted values', async () => {
  sandbox.load({
    properties: [{ name: 'step', type: 'number' }],
    contacts: [{ email: 'ada@example.com' }],
  });
  for (const fault of MIXED) sandbox.faults.next(fault);
  const audience = new AudienceClient({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    timeoutMs: 300,
    maxRetries: 12,
    contactSchema: defineContactSchema({ step: 'number' }),
  });
  for (let step = 1; step <= 30; step += 1) await audience.contacts.update('ada@example.com', { step });
  sandbox.faults.clear();
  expect((await audience.contacts.get('ada@example.com')).step).toBe(30);
  audience.close();
});
