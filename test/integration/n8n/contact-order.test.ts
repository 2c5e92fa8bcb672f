import * as fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { fastClock } from './fast-clock.js';
import { mapped, nodeOutcome, people, setUp } from './support.js';
import type { NodeRun, Setup } from './support.js';

/** More by `AUDIENCE_MODEL_RUNS=200 npx jest test/integration/n8n/contact-order`. */
const RUNS = Number(process.env['AUDIENCE_MODEL_RUNS'] ?? 10);

const SEED = process.env['AUDIENCE_MODEL_RUNS'] === undefined ? { seed: 2026 } : {};

const PEOPLE = people(3).map(({ email }) => email);

const fault = fc.record({
  percent: fc.constantFrom(20, 60),
  seed: fc.nat(1_000),
  times: fc.constantFrom(1, 4),
  kind: fc.constantFrom(
    { status: 422 },
    { status: 503 },
    { status: 503, when: 'after' as const },
    { cut: true, when: 'after' as const },
    { latencyMs: 60 },
  ),
});

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

describe.each(['refuse', 'replay'] as const)('on a service that would %s a used key', (duplicates) => {
  let setup: Setup;
  let realTime: () => void;
  beforeAll(async () => {
    realTime = fastClock(200);
    setup = await setUp({ duplicates });
  });
  afterAll(async () => {
    realTime();
    await setup.close();
  });

  test('a row waits where an earlier one has failed while the first item is still under way', async () => {
    setup.sandbox.reset();
    setup.sandbox.faults.next({ route: 'sendEvent', status: 503, latencyMs: 90, times: 1 });
    setup.sandbox.faults.next({ route: 'sendEvent', status: 503, times: 1 });
    const [ada = '', ben = ''] = PEOPLE;
    await runAndCheck(setup, {
      ...{ whose: [ada, ben, ben, ben], faults: [], sendOnce: 'run', retryOnFail: true, retries: 0 },
      ...{ onError: 'continueErrorOutput', onFailedItem: 'finish', concurrency: 10 },
    });
  });

  test(
    `a contact has what the last row of it says that was carried out, in any try (${RUNS} random runs)`,
    async () => {
      const check = fc.asyncProperty(scenario, async (given) => {
        setup.sandbox.reset();
        await runAndCheck(setup, given);
      });
      await fc.assert(check, { numRuns: RUNS, ...SEED });
    },
    60_000 + RUNS * 2_000,
  );
});

async function runAndCheck(setup: Setup, given: Scenario): Promise<void> {
  for (const { kind, ...rest } of given.faults)
    setup.sandbox.faults.next({ route: 'sendEvent', ...rest, ...kind });
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
