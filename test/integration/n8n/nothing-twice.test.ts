import { emailParameters, nodeOutcome, people, setUp, writes } from './support.js';
import type { NodeRun, Setup } from './support.js';

let setup: Setup;
beforeAll(async () => {
  setup = await setUp();
});
beforeEach(() => {
  setup.sandbox.reset();
});
afterAll(() => setup.close());

const THREE = people(3);

function recipients(): string[] {
  return setup.sandbox
    .emails()
    .map(({ to }) => to)
    .sort();
}

/** Runs three emails of which one fails for good: the service refuses it once, and that is no passing fault. */
async function failOnOne(settings: NodeRun['workflow']['nodes'][number] | object = {}): Promise<NodeRun> {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
  return await setup.run(emailParameters({ concurrency: 1, onFailedItem: 'finish' }), THREE, { settings });
}

test('Retry On Fail runs all items again, and each email arrives once', async () => {
  const { outcome, items } = await failOnOne({ retryOnFail: true, maxTries: 2, waitBetweenTries: 0 });

  expect(outcome.status).toBe('success');
  expect(items.map(({ json, pairedItem }) => [json['email'], pairedItem])).toEqual(
    THREE.map(({ email }, index) => [email, index]),
  );
  expect(writes(setup.sandbox)).toHaveLength(6);
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
});

test('Retry On Fail with Continue runs all items again when the first one failed, and each arrives once', async () => {
  const { outcome } = await failOnOne({
    retryOnFail: true,
    maxTries: 2,
    waitBetweenTries: 0,
    onError: 'continueRegularOutput',
  });

  expect(outcome.status).toBe('success');
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
});

test('a 429 and a fault in between are retried inside the node, with the same key', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 429, retryAfter: 0 });
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', cut: true, when: 'after' });

  const { outcome, items } = await setup.run(emailParameters({ concurrency: 1 }), THREE);

  expect(outcome.status).toBe('success');
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
  const keys = writes(setup.sandbox).map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).toBe(3);
  expect(items.map(({ json }) => json['attempts']).reduce((sum, n) => Number(sum) + Number(n), 0)).toBe(5);
});

test('an execution that another worker takes over sends nothing again', async () => {
  const first = await setup.run(emailParameters(), THREE, { mode: 'trigger' });
  expect(first.outcome.status).toBe('success');

  const { n8n, credentials } = setup;
  const second = await n8n.takeOver(first.workflow, first.outcome, { credentials, mode: 'trigger' });

  expect(second.status).toBe('success');
  expect(nodeOutcome(second).items).toHaveLength(3);
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
});

test('a person who retries a failed execution sends only what had not gone out', async () => {
  const failed = await failOnOne();
  expect(failed.outcome.status).toBe('error');
  expect(recipients()).toHaveLength(2);

  const { n8n, credentials } = setup;
  const retried = await n8n.retry(failed.workflow, failed.outcome, { credentials });

  expect(retried.executionId).not.toBe(failed.outcome.executionId);
  expect(retried.status).toBe('success');
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
});

test('a new run with the same content does send', async () => {
  await setup.run(emailParameters(), THREE);
  await setup.run(emailParameters(), THREE);

  expect(recipients()).toHaveLength(6);
});

test('the same content twice in one run is two emails', async () => {
  const twice = [THREE[0] ?? {}, THREE[0] ?? {}];
  await setup.run(emailParameters(), twice);

  expect(recipients()).toHaveLength(2);
});

test('once per content: a new run sends nothing again until 24 hours have passed', async () => {
  const parameters = emailParameters({ sendOnce: 'content' });
  await setup.run(parameters, THREE);
  await setup.run(parameters, THREE);
  expect(recipients()).toHaveLength(3);

  setup.sandbox.clock.advance(25 * 60 * 60 * 1000);
  await setup.run(parameters, THREE);
  expect(recipients()).toHaveLength(6);
});
