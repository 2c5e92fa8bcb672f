import * as fc from 'fast-check';
import type { IConnections, INode, IRunData } from 'n8n-workflow';
import type { ExecutionOutcome, WorkflowFile } from '../../hosts/n8n-engine/index.js';
import { BASE_NODES, installN8n } from '../../hosts/n8n/install.js';
import { fastClockForTests } from '../../integration/n8n/fast-clock.js';
import { emailParameters, NODE, oneNode, people, setUpForFile } from '../../integration/n8n/support.js';

beforeAll(() => installN8n(() => undefined), 900_000);
fastClockForTests(200);
const setup = setUpForFile(
  { profile: { duplicates: 'replay' } },
  { baseNodes: { packageDir: BASE_NODES, files: ['dist/nodes/SplitInBatches/SplitInBatches.node.js'] } },
);

const scenario = fc.record({
  whose: fc.array(fc.constantFrom(...people(3).map(({ email }) => email)), { minLength: 2, maxLength: 9 }),
  batchSize: fc.constantFrom(1, 2, 3),
  faults: fc.array(
    fc.record({
      every: fc.integer({ min: 1, max: 5 }),
      times: fc.constantFrom(1, 3),
      kind: fc.constantFrom(
        { respond: { status: 422 } },
        { respond: { status: 500 } },
        { cut: true },
        { cut: true, when: 'after' as const },
      ),
    }),
    { maxLength: 3 },
  ),
  retryOnFail: fc.boolean(),
  onError: fc.constantFrom<INode['onError']>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
  concurrency: fc.constantFrom(1, 10),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

test("in a loop that n8n's own node makes, success means received once, and what failed leaves by the error output", async () => {
  await fc.assert(fc.asyncProperty(scenario, runAndCheck), { numRuns: 100, seed: 2026 });
});

async function runAndCheck(given: Scenario): Promise<void> {
  setup.sandbox.reset();
  for (const { kind, ...rest } of given.faults)
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', ...rest, ...kind });
  const input = given.whose.map((email, row) => ({ email, row }));
  const outcomes = await runAll(given, input);
  const received = (await setup.sandbox.emails()).map(({ to, variables }) => ({
    email: to,
    row: Number(variables['firstName']),
  }));
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
}

/** What the node said of each item, in all its runs. */
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
  given: Scenario,
  inputItems: { email: string; row: number }[],
): Promise<ExecutionOutcome[]> {
  const { n8n, credentials } = setup;
  const { concurrency, onError, retryOnFail, batchSize } = given;
  const variables = { firstName: '={{ $json.row }}', planName: 'Free' };
  const workflow = inLoop(
    oneNode(emailParameters({ concurrency }, variables), {
      onError,
      ...(retryOnFail ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } : {}),
    }),
    batchSize,
  );
  let last = await n8n.execute(workflow, { credentials, inputItems, mode: 'trigger' });
  const outcomes = [last];
  for (let again = 0; again < 4 && last.status !== 'success'; again += 1) {
    last = await n8n.retry(workflow, last, { credentials });
    outcomes.push(last);
  }
  return outcomes;
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
