import {
  NodeConnectionTypes,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeType,
} from 'n8n-workflow';
import * as z from 'zod/v4-mini';
import type { ExecutionOutcome, WorkflowFile } from '../../hosts/n8n-engine/index.js';
import { fastClock } from './clocks.js';
import { locator, mapped, node, NODE_TYPE, ours, setUpForFile, to, TRIGGER } from './support.js';

/** A tool as n8n hands it to an agent. */
interface Tool {
  name: string;
  description: string;
  schema: { shape: Record<string, unknown> };
  invoke(args: object): Promise<string>;
}

const toolSchema = z.custom<Tool>((value) => z.looseObject({ invoke: z.unknown() }).safeParse(value).success);

/** Stands in for an agent: calls the tool that is connected to it with what each input item holds. */
const agent: INodeType = {
  description: {
    displayName: 'Agent',
    name: 'agent',
    group: ['transform'],
    version: 1,
    description: 'Calls a tool with its input',
    defaults: { name: 'Agent' },
    inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool, maxConnections: 1 }],
    outputs: [NodeConnectionTypes.Main],
    properties: [{ displayName: 'At Once', name: 'isAtOnce', type: 'boolean', default: false }],
  },
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const tool = toolSchema.parse(await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0));
    const { name, description, schema } = tool;
    const calls = this.getInputData().map(({ json }) => json);
    const invoke = async ({ mayFail, ...json }: IDataObject): Promise<string> =>
      await tool.invoke(json).catch((error: unknown) => {
        if (mayFail !== true) throw error;
        return String(error);
      });
    const answers: string[] = [];
    if (this.getNodeParameter('isAtOnce', 0, false) === true)
      answers.push(...(await Promise.all(calls.map(invoke))));
    else for (const json of calls) answers.push(await invoke(json));
    const fields = Object.keys(schema.shape);
    return [
      answers.map((answer, item) => ({ json: { name, description, fields, answer }, pairedItem: { item } })),
    ];
  },
};

const setup = setUpForFile({}, { nodes: { 'test.agent': agent } });

function workflow(
  parameters: INodeParameters,
  settings: Partial<INode> = {},
  isAtOnce = false,
): WorkflowFile {
  const tool = ours('Send receipt', parameters, { type: `${NODE_TYPE}Tool`, ...settings });
  return {
    id: 'workflow-of-an-agent',
    nodes: [TRIGGER, node('Agent', 'test.agent', { isAtOnce }), tool],
    connections: {
      Trigger: to(['Agent']),
      [tool.name]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
    },
  };
}

const RECEIPT: INodeParameters = {
  resource: 'email',
  operation: 'send',
  transactionalId: locator('id', 'design-receipt'),
  email: "={{ $fromAI('email', 'Address of the customer', 'string') }}",
  dataVariables: mapped({
    orderNumber: "={{ $fromAI('orderNumber', 'Number of the order', 'string') }}",
    total: "={{ $fromAI('total', 'What the order comes to', 'number') }}",
  }),
};

const CALL = { email: 'ada@example.com', orderNumber: 'A-1001', total: 129.5 };

async function call(file: WorkflowFile, ...calls: object[]) {
  return await setup.n8n.execute(file, {
    credentials: setup.credentials,
    inputItems: calls.map((json) => ({ ...json })),
  });
}

test('a model sees the purpose and fields of the tool, and its values keep their types', async () => {
  const outcome = await call(workflow(RECEIPT), CALL);

  expect(outcome.error).toBeUndefined();
  const seen = outcome.nodes['Agent']?.items[0]?.json;
  expect(seen).toMatchObject({ name: 'Send_receipt', fields: ['email', 'orderNumber', 'total'] });
  expect(seen?.['description']).toMatch(/send email/i);
  expect(JSON.parse(z.string().parse(seen?.['answer']))).toMatchObject([
    { success: true, email: 'ada@example.com' },
  ]);
  expect((await setup.sandbox.emails())[0]).toMatchObject({
    to: 'ada@example.com',
    variables: { orderNumber: 'A-1001', total: 129.5 },
  });
});

const route = 'sendTransactionalEmail';
const answersOf = (outcome: ExecutionOutcome) =>
  (outcome.nodes['Agent']?.items ?? []).map(({ json }) => JSON.stringify(json['answer']));
const recipients = async () => (await setup.sandbox.emails()).map((email) => email.to);

test.each([false, true])('three equal calls are three emails; begun at once: %s', async (isAtOnce) => {
  const outcome = await call(workflow(RECEIPT, {}, isAtOnce), CALL, CALL, CALL);
  const answers = answersOf(outcome);
  expect(answers).toHaveLength(3);
  for (const answer of answers) expect(answer).not.toContain('deduplicated');
  expect(await recipients()).toEqual(Array(3).fill(CALL.email));
});

test('a call that is repeated as its response was lost is one email, and does not count for the next', async () => {
  const lost = { status: 200, body: '<h1>It works!</h1>' };
  setup.sandbox.faults.next({ route, delayMs: 1 });
  setup.sandbox.faults.next({ route, respond: lost, when: 'after' });
  const file = workflow(RECEIPT);
  const outcome = await call(file, CALL, { ...CALL, mayFail: true }, CALL, CALL);
  expect(answersOf(outcome)).toHaveLength(4);
  expect(setup.sandbox.requests({ route })).toHaveLength(4);
  expect(await recipients()).toHaveLength(3);
});

test.each(['failed', 'crashed'] as const)(
  'a Retry of an execution that %s, which makes the same calls again, sends what is missing',
  async (how) => {
    const file = workflow(RECEIPT);
    setup.sandbox.faults.next({ route, delayMs: 1, times: 2 });
    setup.sandbox.faults.next({ route, respond: { status: 422 } });
    const calls = [CALL, CALL, CALL, { ...CALL, orderNumber: 'A-1002' }];
    const options = { credentials: setup.credentials, inputItems: calls, mode: 'trigger' as const };
    const first = await setup.n8n.execute(file, options);
    expect(await recipients()).toHaveLength(2);
    const retried =
      how === 'failed'
        ? await setup.n8n.retry(file, first, options)
        : await setup.n8n.retryCrashed(file, first, options);
    expect(retried.status).toBe('success');
    const isBefore = answersOf(retried).map((answer) => answer.includes('deduplicated'));
    // After a crash only the service knows.
    const isKnown = how === 'failed';
    expect(isBefore).toEqual([isKnown, isKnown, false, false]);
    expect(await recipients()).toHaveLength(4);
  },
);

test('two properties of a model are both created', async () => {
  const name = "={{ $fromAI('name', 'Name of the property', 'string') }}";
  const create = { resource: 'contactProperty', operation: 'create', name, type: 'string' };
  await call(workflow(create), { name: 'planName' }, { name: 'planSize' });
  expect(setup.sandbox.requests({ route: 'createContactProperty' })).toHaveLength(2);
});

test('the error text for a model says that a call is unclear, and what not to do', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', cut: true, when: 'after', times: 6 });
  const realTime = fastClock(50);
  const outcome = await call(workflow(RECEIPT), CALL).finally(realTime);
  const answer = JSON.stringify(outcome.nodes['Agent']?.items[0]?.json['answer'] ?? outcome.error?.message);
  expect(answer).toMatch(/It may have been carried out\. Do not call the tool again with other values/);
  expect((await setup.sandbox.emails()).length).toBeLessThanOrEqual(1);
});

test.each([
  ['forgotten', true],
  ['lost-run', false],
])('what may have been sent in a run before is not called for again: %s', async (code, isStored) => {
  const options = { credentials: setup.credentials, inputItems: [CALL], mode: 'trigger' as const };
  const first = await setup.n8n.execute(workflow(RECEIPT), options);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 24 * 60 * 60 * 1000);
  const { error } = await setup.n8n.retryCrashed(workflow(RECEIPT), first, { ...options, isStored });
  clock.mockRestore();
  expect(error?.context['code']).toBe(code);
  expect(error?.message).toMatch(/Do not call the tool again/);
  expect(error?.message).not.toContain('with another value');
  expect(await setup.sandbox.emails()).toHaveLength(1);
});

test('Retry On Fail of a tool sends nothing twice', async () => {
  const page = { status: 200, body: '<h1>It works!</h1>' };
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', respond: page, when: 'after' });
  const file = workflow(RECEIPT, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
  const outcome = await call(file, CALL);

  expect(outcome.error).toBeUndefined();
  expect(setup.sandbox.requests({ route: 'sendTransactionalEmail' })).toHaveLength(2);
  expect(await setup.sandbox.emails()).toHaveLength(1);
});

/** A field as the editor writes it when a person lets the model fill it in. */
const filledIn = (name: string) =>
  "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('NAME', ``, 'string') }}".replace('NAME', name);

test.each([
  ['no address', { email: 'Ada' }, 'misfit', 'email'],
  ['an empty address', { email: '' }, 'no-value', 'email'],
  ['several addresses', { email: 'ada@example.com, bo@example.com' }, 'misfit', 'email'],
])('a model is told the argument, and nothing of the form: %s', async (_what, wrong, code, name) => {
  const fields = { orderNumber: filledIn('orderNumber'), total: 1 };
  const parameters = { ...RECEIPT, email: filledIn('email'), dataVariables: mapped(fields) };
  const { error } = await call(workflow(parameters), { ...CALL, ...wrong });
  expect(error?.context).toMatchObject({ code, subject: { kind: 'argument', name } });
  expect(error?.message).toMatch(/\b[Tt]he argument '\w+' .*\. (Call the tool|Correct the argument)/);
  expect(error?.message).not.toMatch(/fromAI|Split Out|Filter|expression|\?\?|Retry|Execut/);
  expect(await setup.sandbox.emails()).toEqual([]);
});
