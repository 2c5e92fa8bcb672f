import * as fc from 'fast-check';
import type { IConnections, INode, INodeParameters, IRunData } from 'n8n-workflow';
import type { ExecutionOutcome, WorkflowFile } from '../../hosts/n8n-engine/index.js';
import { BASE_NODES, installN8n } from '../../hosts/n8n/install.js';
import { faultsOf, onBothServices, setFaults } from '../../integration/n8n/model.js';
import { emailParameters, mapped, NODE, oneNode, people } from '../../integration/n8n/support.js';
import type { Setup } from '../../integration/n8n/support.js';

beforeAll(() => installN8n(() => undefined), 900_000);

const fault = faultsOf(
  [
    { status: 401 },
    { status: 422 },
    { status: 500 },
    { status: 503, when: 'after' },
    { cut: true },
    { cut: true, when: 'after' },
    { garbage: true, when: 'after' },
    { status: 429, retryAfter: 0 },
  ],
  { percents: [20, 50], times: [1, 3] },
);

const scenario = fc.record({
  whose: fc.array(fc.constantFrom(...people(3).map(({ email }) => email)), { minLength: 2, maxLength: 9 }),
  batchSize: fc.constantFrom(1, 2, 3),
  what: fc.constantFrom('email', 'event', 'contact'),
  faults: fc.array(fault, { maxLength: 3 }),
  sendOnce: fc.constantFrom('run', 'content'),
  hasOwnKey: fc.boolean(),
  retryOnFail: fc.boolean(),
  onError: fc.constantFrom<INode['onError']>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
  onFailedItem: fc.constantFrom('stop', 'finish'),
  retries: fc.constantFrom(0, 2),
  concurrency: fc.constantFrom(1, 10),
  again: fc.array(fc.constantFrom('retry', 'takeOver'), { maxLength: 3 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

onBothServices(
  100,
  ({ holds }) => {
    holds(
      "in a loop n8n's own node makes, success means received once, and what failed leaves by the error output",
      scenario,
      runAndCheck,
    );
  },
  { baseNodes: { packageDir: BASE_NODES, files: ['dist/nodes/SplitInBatches/SplitInBatches.node.js'] } },
);

async function runAndCheck(setup: Setup, given: Scenario): Promise<void> {
  const { sandbox } = setup;
  setFaults(sandbox, given.what === 'email' ? 'sendTransactionalEmail' : 'sendEvent', given.faults);
  const input = given.whose.map((email, row) => ({ email, row }));
  const outcomes = await runAll(setup, given, input);

  const received =
    given.what === 'email'
      ? sandbox
          .emails()
          .map(({ to, dataVariables }) => ({ email: to, row: Number(dataVariables['firstName']) }))
      : sandbox.events().map(({ email, name }) => ({ email, row: Number(name.slice('row'.length)) }));
  const rows = received.map(({ row }) => row);
  expect(rows).toEqual([...new Set(rows)]);
  for (const outcome of outcomes) {
    const told = toldOf(outcome.atEnd.resultData.runData);
    for (const { output, isSuccess, item } of told) {
      if (isSuccess) expect(received).toContainEqual(item);
      if (given.onError === 'continueErrorOutput') expect(output).toBe(isSuccess ? 0 : 1);
    }
    if (outcome.status !== 'success') continue;
    expect(told).toHaveLength(input.length);
    if (told.every(({ isSuccess }) => isSuccess)) expect(received).toHaveLength(input.length);
  }
  if (given.what !== 'contact') return;
  for (const { email } of input) {
    const last = Math.max(...received.filter((one) => one.email === email).map(({ row }) => row));
    const has = sandbox.contacts().find((contact) => contact.email === email)?.firstName;
    expect([email, has]).toEqual([email, last < 0 ? undefined : `Row ${last}`]);
  }
}

/** What the node told of each item, in all its runs. */
function toldOf(runData: IRunData) {
  return (runData[NODE] ?? []).flatMap(({ data }, run) => {
    const batch = runData['Loop']?.[run]?.data?.['main']?.[1] ?? [];
    return (data?.['main'] ?? []).flatMap((items, output) =>
      (items ?? []).map(({ json, pairedItem }) => ({
        output,
        isSuccess: json['success'] === true,
        item: batch[typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : -1]?.json,
      })),
    );
  });
}

async function runAll(
  { n8n, credentials }: Setup,
  given: Scenario,
  inputItems: { email: string; row: number }[],
): Promise<ExecutionOutcome[]> {
  const workflow = inLoop(
    oneNode(parametersOf(given), {
      onError: given.onError,
      ...(given.retryOnFail ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } : {}),
    }),
    given.batchSize,
  );
  let mode: 'trigger' | 'retry' = 'trigger';
  let last = await n8n.execute(workflow, { credentials, inputItems, mode });
  const outcomes = [last];
  for (const way of [...given.again, 'retry', 'retry', 'retry']) {
    if (last.status === 'success') break;
    if (way === 'takeOver') last = await n8n.takeOver(workflow, last, { credentials, mode });
    else {
      last = await n8n.retry(workflow, last, { credentials });
      mode = 'retry';
    }
    outcomes.push(last);
  }
  return outcomes;
}

function parametersOf(given: Scenario): INodeParameters {
  const { what, sendOnce, onFailedItem, retries, concurrency } = given;
  const options = {
    ...{ sendOnce, onFailedItem, retries, concurrency },
    ...(given.hasOwnKey ? { idempotencyKey: '=order-{{ $json.row }}' } : {}),
  };
  if (what === 'email') return emailParameters(options, { firstName: '={{ $json.row }}', planName: 'Free' });
  const event = { eventName: '=row{{ $json.row }}', email: '={{ $json.email }}', options };
  return what === 'event'
    ? { resource: 'event', operation: 'send', ...event }
    : {
        ...{ resource: 'contact', operation: 'upsert', ...event },
        contactFields: mapped({ firstName: '=Row {{ $json.row }}' }),
      };
}

/** Puts the node into a loop over its input, both of its outputs leading back. */
function inLoop(workflow: WorkflowFile, batchSize: number): WorkflowFile {
  const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
  const connections: IConnections = {
    Trigger: { main: [to('Loop')] },
    Loop: { main: [to('Done'), to(NODE)] },
    [NODE]: { main: [to('Loop'), to('Failed')] },
    Failed: { main: [to('Loop')] },
  };
  const loop: INode = {
    ...{ id: 'id-of-Loop', name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
    ...{ position: [0, 0], parameters: { batchSize, options: {} } },
  };
  return { ...workflow, nodes: [...workflow.nodes, loop], connections };
}
