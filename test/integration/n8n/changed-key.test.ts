import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { faultsOf, onBothServices, setFaults } from './model.js';
import { emailParameters, nodeOutcome, oneNode } from './support.js';
import type { NodeRun, Setup } from './support.js';

const ada = 'ada@example.com';
const bo = 'bo@example.com';

/** What decides over the key of a mail; a person may change it before a Retry. */
const KEYINGS = {
  run: {},
  content: { sendOnce: 'content' },
  ofAll: { idempotencyKey: 'may-newsletter' },
  ofRow: { idempotencyKey: '=order-{{ $json.row }}' },
  ofOther: { idempotencyKey: '=receipt-{{ $json.row }}' },
  // Refused in the rows that have no note.
  ofNote: { idempotencyKey: '={{ $json.note }}' },
  ofAnyNote: { idempotencyKey: "={{ $json.note ?? 'none' }}-{{ $json.row }}" },
} as const;
type Keying = keyof typeof KEYINGS;
const anyKeying = fc.constantFrom<Keying>(
  'run',
  'content',
  'ofAll',
  'ofRow',
  'ofOther',
  'ofNote',
  'ofAnyNote',
);

const scenario = fc.record({
  rows: fc.array(
    fc.record({
      email: fc.constantFrom(ada, ada, bo, 'bo@@example.com'),
      firstName: fc.constantFrom('One', 'Two'),
      note: fc.constantFrom('a', 'b', undefined),
    }),
    { minLength: 2, maxLength: 6 },
  ),
  faults: fc.array(
    faultsOf(
      [{ status: 422 }, { status: 503 }, { status: 503, when: 'after' }, { cut: true, when: 'after' }],
      {
        percents: [20, 50],
        times: [1, 3],
      },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  onFailedItem: fc.constantFrom('stop', 'finish'),
  retries: fc.constantFrom(0, 1),
  concurrency: fc.constantFrom(1, 10),
  keyings: fc.array(anyKeying, { minLength: 2, maxLength: 4 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

const CORRECTED = "={{ $json.email.replace('@@', '@') }}";

async function runAndCheck(setup: Setup, given: Scenario): Promise<void> {
  const { faults, keyings, onFailedItem, retries, concurrency } = given;
  const rows = given.rows.map((row, index) => ({ ...row, row: index }));
  const parameters = (keying: Keying | undefined, email: string): INodeParameters => ({
    ...emailParameters({ ...KEYINGS[keying ?? 'run'], onFailedItem, retries, concurrency }),
    email,
  });
  setFaults(setup.sandbox, 'sendTransactionalEmail', faults);
  const first = await setup.run(parameters(keyings[0], '={{ $json.email }}'), rows, { mode: 'trigger' });
  let { outcome } = first;
  for (let tries = 1; tries < 8 && outcome.status === 'error'; tries += 1) {
    const keying = keyings[Math.min(tries, keyings.length - 1)];
    outcome = (await retry(setup, { outcome }, parameters(keying, CORRECTED))).outcome;
  }
  for (const { email, firstName } of rows) {
    const to = email.replace('@@', '@');
    const wanted = rows.filter((row) => row.email.replace('@@', '@') === to && row.firstName === firstName);
    const received = setup.sandbox
      .emails()
      .filter((mail) => mail.to === to && mail.dataVariables['firstName'] === firstName);
    expect(received.length).toBeLessThanOrEqual(wanted.length);
    if (outcome.status !== 'error') expect(received.length).toBeGreaterThanOrEqual(1);
  }
}

/** Retries an execution with other options. */
async function retry(
  { n8n, credentials }: Setup,
  { outcome }: Pick<NodeRun, 'outcome'>,
  parameters: INodeParameters,
): Promise<Pick<NodeRun, 'outcome' | 'error' | 'hints'>> {
  const retried = await n8n.retry(oneNode(parameters), outcome, { credentials });
  return { ...nodeOutcome(retried), outcome: retried };
}

onBothServices(20, ({ setup, holds }) => {
  holds('a Retry sends nothing twice, whatever keys its items have by then', scenario, runAndCheck);

  const bad = 'bo@@example.com';
  const rows = [
    { email: ada, firstName: 'One', row: 0 },
    { email: ada, firstName: 'Two', row: 1 },
    { email: bad, firstName: 'One', row: 2 },
  ];
  const withKey = (keying: Keying, email = '={{ $json.email }}'): INodeParameters => ({
    ...emailParameters({ ...KEYINGS[keying], onFailedItem: 'finish', retries: 0, concurrency: 1 }),
    email,
  });

  test.each<[Keying, Keying]>([
    ['ofRow', 'ofOther'],
    ['ofRow', 'run'],
    ['ofRow', 'content'],
    ['run', 'ofRow'],
    ['run', 'content'],
    ['content', 'run'],
  ])('what went out with %s keys counts for %s keys', async (before, after) => {
    const failed = await setup.run(withKey(before), rows, { mode: 'trigger' });
    expect(failed.error?.description).toContain('2 of 3 items were carried out');
    const { outcome, hints } = await retry(setup, failed, withKey(after, CORRECTED));
    expect(outcome.status).toBe('success');
    expect(setup.sandbox.emails().map(({ to, dataVariables }) => [to, dataVariables['firstName']])).toEqual([
      [ada, 'One'],
      [ada, 'Two'],
      [bo, 'One'],
    ]);
    expect(hints.join()).not.toContain('Your own key counts regardless of the content');
  });

  test('two orders that one key made one mail of are two with two keys', async () => {
    const same = [
      { email: ada, firstName: 'One', row: 0 },
      { email: ada, firstName: 'One', row: 1 },
      { email: bad, firstName: 'One', row: 2 },
    ];
    const failed = await setup.run(withKey('ofAll'), same, { mode: 'trigger' });
    expect(setup.sandbox.emails()).toHaveLength(1);
    const { outcome } = await retry(setup, failed, withKey('ofRow', CORRECTED));
    expect(outcome.status).toBe('success');
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, ada, bo]);
  });

  test('what another run has sent goes out, where a Retry gives it a new key', async () => {
    await setup.run(withKey('ofRow'), rows.slice(0, 1), { mode: 'trigger' });
    const failed = await setup.run(withKey('ofRow'), rows, { mode: 'trigger' });
    await retry(setup, failed, withKey('ofOther', CORRECTED));
    expect(setup.sandbox.emails().map(({ dataVariables }) => dataVariables['firstName'])).toEqual([
      'One',
      'Two',
      'One',
      'One',
    ]);
  });
});
