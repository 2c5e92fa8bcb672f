import * as fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { faultsOf, onBothServices, setFaults } from './model.js';
import { mapped, nodeOutcome, people } from './support.js';
import type { NodeRun, Setup } from './support.js';

const PEOPLE = people(3).map(({ email }) => email);

const fault = faultsOf(
  [
    { status: 422 },
    { status: 503 },
    { status: 503, when: 'after' },
    { cut: true, when: 'after' },
    { latencyMs: 60 },
  ],
  { percents: [20, 60], times: [1, 4] },
);

const scenario = fc.record({
  whose: fc.array(fc.constantFrom(...PEOPLE), { minLength: 2, maxLength: 8 }),
  faults: fc.array(fault, { maxLength: 3 }),
  sendOnce: fc.constantFrom('run', 'content'),
  retryOnFail: fc.boolean(),
  onError: fc.constantFrom<INode['onError']>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
  onFailedItem: fc.constantFrom('stop', 'finish'),
  concurrency: fc.constantFrom(1, 10),
  retries: fc.constantFrom(0, 2),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

onBothServices(10, ({ setup, holds }) => {
  test('a row waits where an earlier one has failed while the first item is still under way', async () => {
    setup.sandbox.faults.next({ route: 'sendEvent', status: 503, latencyMs: 90, times: 1 });
    setup.sandbox.faults.next({ route: 'sendEvent', status: 503, times: 1 });
    const [ada = '', ben = ''] = PEOPLE;
    await runAndCheck(setup, {
      ...{ whose: [ada, ben, ben, ben], faults: [], sendOnce: 'run', retryOnFail: true, retries: 0 },
      ...{ onError: 'continueErrorOutput', onFailedItem: 'finish', concurrency: 10 },
    });
  });

  holds('a contact has what the last row of it says that was carried out, in any try', scenario, runAndCheck);
});

async function runAndCheck(setup: Setup, given: Scenario): Promise<void> {
  setFaults(setup.sandbox, 'sendEvent', given.faults);
  const { whose, sendOnce, onFailedItem, concurrency, retries, onError, retryOnFail } = given;
  const parameters = {
    ...{
      resource: 'contact',
      operation: 'upsert',
      eventName: '=row{{ $json.row }}',
      email: '={{ $json.email }}',
    },
    contactFields: mapped({ firstName: '=Row {{ $json.row }}' }),
    options: { sendOnce, onFailedItem, concurrency, retries },
  };
  const settings = { onError, ...(retryOnFail ? { retryOnFail, maxTries: 3, waitBetweenTries: 1 } : {}) };
  const items = whose.map((email, row) => ({ email, row }));
  const run = await setup.run(parameters, items, { settings, mode: 'trigger' });
  let last: Pick<NodeRun, 'items' | 'error'> = run;
  let { outcome } = run;
  for (let tries = 0; tries < 4 && outcome.status === 'error'; tries += 1) {
    outcome = await setup.n8n.retry(run.workflow, outcome, { credentials: setup.credentials });
    last = nodeOutcome(outcome);
  }

  const rowsOf = (person: string): number[] =>
    setup.sandbox
      .events()
      .filter(({ email }) => email === person)
      .map(({ name }) => Number(name.slice('row'.length)));
  const told = last.items
    .filter(({ json }) => json['success'] === true)
    .map(({ pairedItem = -1 }) => pairedItem);
  for (const person of new Set(whose)) {
    const rows = rowsOf(person);
    const has = setup.sandbox.contacts().find(({ email }) => email === person)?.firstName;
    expect([person, has]).toEqual([person, rows.length === 0 ? undefined : `Row ${Math.max(...rows)}`]);
    expect(new Set(rows).size).toBe(rows.length);
  }
  for (const row of told) expect(rowsOf(whose[row] ?? '')).toContain(row);
  if (last.error === undefined && told.length === whose.length) {
    expect(setup.sandbox.events()).toHaveLength(whose.length);
  }
}
