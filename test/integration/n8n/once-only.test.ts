import * as fc from 'fast-check';
import type { IDataObject, INode, WorkflowExecuteMode } from 'n8n-workflow';
import { faultsOf, onBothServices, setFaults } from './model.js';
import { emailParameters, nodeOutcome } from './support.js';
import type { NodeRun, Setup } from './support.js';

const item = fc.record({
  email: fc.constantFrom('ada@example.com', 'grace@example.com'),
  firstName: fc.constantFrom('One', 'Two'),
  orderNo: fc.constantFrom(1, 2, undefined),
});

/** What decides over the key of a mail. */
const KEYINGS = {
  run: {},
  content: { sendOnce: 'content' },
  goodKey: { idempotencyKey: '=order-{{ $json.orderNo }}-{{ $json.firstName }}' },
  keyOfAll: { idempotencyKey: 'may-newsletter' },
  sloppyKey: { idempotencyKey: '=order-{{ $json.orderNo }}' },
} as const;

const fault = faultsOf(
  [
    { status: 422 },
    { status: 500 },
    { status: 503, when: 'after' },
    { cut: true },
    { cut: true, when: 'after' },
    { garbage: true, when: 'after' },
    { status: 429, retryAfter: 0 },
    // Outlasts its time-out, and fails then.
    { latencyMs: 600, status: 500 },
  ],
  { percents: [10, 40], times: [1, 3] },
);

const scenario = fc.record({
  items: fc.array(item, { minLength: 3, maxLength: 8 }),
  faults: fc.array(fault, { maxLength: 3 }),
  retryOnFail: fc.boolean(),
  onError: fc.constantFrom<INode['onError']>('stopWorkflow', 'continueRegularOutput'),
  onFailedItem: fc.constantFrom('stop', 'finish'),
  retries: fc.constantFrom(0, 1, 3),
  again: fc.array(fc.constantFrom('retry', 'takeOver'), { minLength: 1, maxLength: 3 }),
});

type Keying = keyof typeof KEYINGS;
type Scenario = (typeof scenario extends fc.Arbitrary<infer Value> ? Value : never) & {
  readonly keying: Keying;
};

onBothServices(5, ({ holds }) => {
  for (const keying of ['run', 'content', 'goodKey', 'keyOfAll', 'sloppyKey'] as const) {
    holds(
      `${keying}: success means received by that person, with that content, exactly once`,
      scenario,
      (setup, given) => runAndCheck(setup, { ...given, keying }),
    );
  }
});

async function runAndCheck(setup: Setup, given: Scenario): Promise<void> {
  // Who takes over knows of no time-out, and has to begin an hour later (docs/retries.md).
  const knowsTimeouts = !given.again.includes('takeOver');
  const faults = given.faults.filter(({ kind }) => knowsTimeouts || kind.latencyMs === undefined);
  setFaults(setup.sandbox, 'sendTransactionalEmail', faults);
  const outcomes = await runAll(setup, given);
  const received = setup.sandbox
    .emails()
    .map(({ to, dataVariables }) => nameOf(to, dataVariables['firstName']));

  for (const outcome of outcomes) {
    for (const { json, pairedItem = -1 } of outcome.items) {
      const wanted = given.items[pairedItem];
      if (json['success'] !== true || wanted === undefined) continue;
      expect(received).toContain(nameOf(wanted.email, wanted.firstName));
    }
  }
  for (const name of new Set(received)) {
    const count = received.filter((other) => other === name).length;
    expect(count).toBeLessThanOrEqual(mostOf(given, name));
  }
  // Where the last word is that all went well, nobody was left out.
  const last = outcomes.at(-1);
  if (
    last !== undefined &&
    last.error === undefined &&
    last.items.every(({ json }) => json['success'] === true)
  ) {
    for (const { email, firstName } of given.items) {
      const name = nameOf(email, firstName);
      expect([name, received.filter((other) => other === name).length]).toEqual([name, mostOf(given, name)]);
    }
  }
}

/** How many mails of that content the person is to get, if all goes well. */
function mostOf({ items, keying }: Scenario, name: string): number {
  const same = items.filter(({ email, firstName }) => nameOf(email, firstName) === name);
  switch (keying) {
    case 'run':
      return same.length;
    case 'content':
    case 'keyOfAll':
      return 1;
    case 'goodKey':
    case 'sloppyKey':
      return new Set(same.map(({ orderNo }) => orderNo)).size;
  }
}

async function runAll(setup: Setup, given: Scenario): Promise<Pick<NodeRun, 'items' | 'error'>[]> {
  const { n8n, credentials } = setup;
  const options = {
    ...KEYINGS[given.keying],
    ...{ onFailedItem: given.onFailedItem, retries: given.retries, timeout: 20 },
  };
  const settings = {
    onError: given.onError,
    ...(given.retryOnFail ? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } : {}),
  };
  const items: IDataObject[] = given.items.map((one) => ({ ...one }));
  const first = await setup.run(emailParameters(options), items, { settings, mode: 'trigger' });
  const outcomes: Pick<NodeRun, 'items' | 'error'>[] = [first];
  let before = first.outcome;
  // Who takes a retry over retries.
  let mode: WorkflowExecuteMode = 'trigger';
  for (const way of given.again) {
    const { workflow } = first;
    if (way === 'takeOver') before = await n8n.takeOver(workflow, before, { credentials, mode });
    else if (before.status === 'error') {
      before = await n8n.retry(workflow, before, { credentials });
      mode = 'retry';
    } else continue;
    outcomes.push(nodeOutcome(before));
  }
  return outcomes;
}

function nameOf(email: string, firstName: unknown): string {
  return `${email} ${String(firstName)}`;
}
