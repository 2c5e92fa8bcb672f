import { emailParameters, people, setUp } from './support.js';
import type { Setup } from './support.js';

let setup: Setup;
beforeAll(async () => {
  setup = await setUp();
});
beforeEach(() => {
  setup.sandbox.reset();
});
afterAll(() => setup.close());

const MANY = people(500);

test('500 items while 20 % of the calls go wrong in one way or another: each email once, order and pairing kept', async () => {
  const { faults } = setup.sandbox;
  faults.next({ percent: 5, seed: 1, status: 500 });
  faults.next({ percent: 5, seed: 3, status: 503, when: 'after' });
  faults.next({ percent: 5, seed: 4, cut: true });
  faults.next({ percent: 5, seed: 5, cut: true, when: 'after' });
  faults.next({ percent: 2, seed: 2, status: 429, retryAfter: 0 });

  const { items, outcome } = await setup.run(emailParameters({ retries: 20, concurrency: 100 }), MANY);

  expect(outcome.error).toBeUndefined();
  expect(items.map(({ json, pairedItem }) => [json['email'], pairedItem])).toEqual(
    MANY.map(({ email }, index) => [email, index]),
  );
  const recipients = setup.sandbox.emails().map(({ to }) => to);
  expect(recipients).toHaveLength(MANY.length);
  expect(new Set(recipients).size).toBe(MANY.length);
  expect(faults.list().every(({ hits }) => hits > 0)).toBe(true);
});

test('an execution that stopped at an item and is retried by a person: each email once', async () => {
  setup.sandbox.faults.next({ percent: 2, seed: 7, status: 422 });
  const failed = await setup.run(emailParameters({ concurrency: 3 }), MANY);
  expect(failed.outcome.status).toBe('error');
  setup.sandbox.faults.clear();
  const sent = setup.sandbox.emails().length;
  expect(sent).toBeLessThan(MANY.length);

  const { n8n, credentials } = setup;
  const retried = await n8n.retry(failed.workflow, failed.outcome, { credentials });

  expect(retried.status).toBe('success');
  const recipients = setup.sandbox.emails().map(({ to }) => to);
  expect(recipients).toHaveLength(MANY.length);
  expect(new Set(recipients).size).toBe(MANY.length);
});
