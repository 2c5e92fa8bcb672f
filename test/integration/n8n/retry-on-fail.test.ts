import * as fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { faultsOf, onBothServices, setFaults } from './model.js';
import { emailParameters, people } from './support.js';
import type { Setup } from './support.js';

/** Another value in each try. */
const CHANGING = '{{ Math.random() }}';

const fault = faultsOf(
  [
    { status: 422 },
    { status: 503 },
    { status: 503, when: 'after' },
    { cut: true, when: 'after' },
    { status: 429, retryAfter: 0 },
  ],
  { percents: [20, 60], times: [1, 4] },
);

const scenario = fc.record({
  rows: fc.integer({ min: 3, max: 8 }),
  faults: fc.array(fault, { minLength: 1, maxLength: 3 }),
  changing: fc.subarray(['recipient', 'content'] as const, { minLength: 1 }),
  key: fc.constantFrom('', '=order-{{ $json.row }}', `=order-{{ $json.row }}-${CHANGING}`),
  sendOnce: fc.constantFrom('run', 'content'),
  onError: fc.constantFrom<INode['onError']>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
  onFailedItem: fc.constantFrom('stop', 'finish'),
  maxTries: fc.constantFrom(2, 4),
  concurrency: fc.constantFrom(1, 10),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

onBothServices(8, ({ setup, holds }) => {
  test('what outlasts its time-out, and fails then, is never told as sent', async () => {
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', latencyMs: 10_000, status: 503, times: 1 });
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
    const run = await setup.run(emailParameters({ retries: 0 }), people(1), { settings, mode: 'trigger' });
    expect(run.error?.message).toContain('It is not clear whether');
    expect(setup.sandbox.emails()).toEqual([]);
  });

  test('what may have been sent is told so, also where a later try does not get to it', async () => {
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', cut: true, when: 'after', times: 1 });
    setup.sandbox.faults.next({ route: 'listTransactionalEmails', latencyMs: 1, times: 1 });
    setup.sandbox.faults.next({ route: 'listTransactionalEmails', status: 503, times: 1 });
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
    const { error } = await setup.run(emailParameters({ retries: 0 }), people(1), {
      settings,
      mode: 'trigger',
    });
    expect(error?.message).toContain('It is not clear whether');
    expect(setup.sandbox.emails()).toHaveLength(1);
  });

  holds(
    'an item is sent once and told of whom, also where each try computes something else',
    scenario,
    runAndCheck,
  );
});

async function runAndCheck(setup: Setup, given: Scenario): Promise<void> {
  setFaults(setup.sandbox, 'sendTransactionalEmail', given.faults);
  const { rows, changing, key, sendOnce, onError, onFailedItem, maxTries, concurrency } = given;
  const isChanging = (what: (typeof changing)[number]): string => (changing.includes(what) ? CHANGING : '');
  const options = {
    ...(key === '' ? {} : { idempotencyKey: key }),
    ...{ sendOnce, onFailedItem, concurrency, retries: 0 },
  };
  const parameters = {
    ...emailParameters(options, {
      firstName: `=row {{ $json.row }} of ${isChanging('content')}`,
      planName: 'Free',
    }),
    email: `=ada${isChanging('recipient')}@example.com`,
  };
  const items = Array.from({ length: rows }, (_, row) => ({ row }));
  const settings = { onError, retryOnFail: true, maxTries, waitBetweenTries: 1 };
  const run = await setup.run(parameters, items, { settings, mode: 'trigger' });

  const received = setup.sandbox.emails().map(({ to, dataVariables }) => ({
    to,
    row: Number(/^row (\d+)/.exec(String(dataVariables['firstName']))?.[1]),
  }));
  expect(JSON.stringify([run.items, run.error])).not.toContain('was sent for this item');
  const rowsReceived = received.map(({ row }) => row);
  expect(rowsReceived).toEqual([...new Set(rowsReceived)]);
  for (const { json, pairedItem } of run.items) {
    if (json['success'] !== true) continue;
    expect(received).toContainEqual({ to: json['email'], row: pairedItem });
  }
  if (run.error === undefined && onError !== 'continueErrorOutput') expect(run.items).toHaveLength(rows);
}
