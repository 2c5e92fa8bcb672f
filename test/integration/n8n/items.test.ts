import type { NewFault } from 'audience-sandbox';
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { createN8nEngine } from '../../hosts/n8n-engine/index.js';
import { fastClockForTests } from './clocks.js';
import {
  AUTO_MAPPED,
  bodyOf,
  emailParameters,
  locator,
  mapped,
  NODE_TYPE,
  nodeOutcome,
  oneNode,
  people,
  setUpForFile,
  writes,
  type RunOptions,
  type Setup,
} from './support.js';

const ADA_ONLY = { email: 'ada@example.com' };

fastClockForTests(20);
const setup = setUpForFile();

const ITEMS = people(3).map((one, index) =>
  index === 1 ? { email: 'not <an> address', firstName: 'Nobody' } : one,
);

test('Continue: a failed item has its error and its pairing, and with an error output its input, too', async () => {
  const details = { itemIndex: 1, reason: 'input', code: 'misfit' };
  const regular = await setup.run(emailParameters(), ITEMS, {
    settings: { onError: 'continueRegularOutput' },
  });
  expect(regular.outcome.status).toBe('success');
  expect(regular.items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2]);
  expect(regular.items[1]?.json).toMatchObject({ details });
  expect(regular.items[1]?.json['error']).toMatch(/'not <an> address'.* \[item 1\]/);

  const { branches, outcome } = await setup.run(emailParameters(), ITEMS, {
    settings: { onError: 'continueErrorOutput' },
  });
  expect(outcome.status).toBe('success');
  expect(branches.map((items) => items.map(({ json, pairedItem }) => [json['email'], pairedItem]))).toEqual([
    [
      ['person-0@example.com', 0],
      ['person-2@example.com', 2],
    ],
    [['not <an> address', 1]],
  ]);
  expect(branches[1]?.[0]?.json).toMatchObject({ firstName: 'Nobody', details });
  expect(await setup.sandbox.emails()).toHaveLength(4);
});

test.each<[string, INodeParameters, Record<string, string | number> | undefined, RegExp]>([
  ['an address that cannot be', {}, { baseUrl: 'audience' }, /is not the URL/],
  ['a status that no key has', {}, { usedKeyStatus: 500 }, /'Used Key Status'/],
  ['no credential', {}, undefined, /credential/],
  ['an option without a value', { concurrency: '={{ $json.no }}' }, {}, /'Items at Once'/],
])('an error of the node itself fails every item: %s', async (_name, options, changed, words) => {
  const audienceApi = { ...setup.credentials['audienceApi'], ...changed };
  const credentials: Setup['credentials'] = changed === undefined ? {} : { audienceApi };
  const run = async (onError: 'continueErrorOutput' | 'continueRegularOutput') =>
    await setup.run(emailParameters(options), people(2), { settings: { onError }, credentials });
  const { branches } = await run('continueErrorOutput');
  const { items } = await run('continueRegularOutput');
  expect(branches.map(({ length }) => length)).toEqual([0, 2]);
  expect(branches[1]?.map(({ json }) => json['email'])).toEqual(people(2).map(({ email }) => email));
  for (const { json } of [...(branches[1] ?? []), ...items]) expect(json['error']).toMatch(words);
  expect(items).toHaveLength(2);
  expect(writes(setup.sandbox)).toEqual([]);
});

const REFUSED = { respond: { status: 422 } };
const UNCLEAR: NewFault = { cut: true, times: 100 };
const WAIT = { respond: { status: 429, headers: { 'Retry-After': 3600 } } };
const NOT_SAVED = 'This workflow does not save failed executions, so there is no Retry.';
const TRIGGER = { mode: 'trigger' } as const;

const RETRY = 'In Executions, choose the arrow beside this one';
const SENT = '0 of 5 items were carried out in this run of the node';

test.each<[string, NewFault, RunOptions, string]>([
  ['refused in the editor', REFUSED, {}, `<br>Execute the step again.<br>${SENT}; 1 failed (item 0).`],
  ['refused in an execution', REFUSED, TRIGGER, `${RETRY}: only the missing items are sent. A Retry has the`],
  ['unclear, nothing saved', UNCLEAR, { workflowSettings: { saveManualExecutions: false } }, NOT_SAVED],
  [
    'refused, nothing saved',
    REFUSED,
    { ...TRIGGER, workflowSettings: { saveDataErrorExecution: 'none' } },
    NOT_SAVED,
  ],
  [
    'unclear',
    UNCLEAR,
    {},
    `It may have been sent. ${RETRY}: only the missing items are sent. It has the same key: nothing is sent twice while the service remembers it (emails: 24 hours). 'Execute step' and 'Execute workflow' are new runs: all items are sent again.<br>${SENT}, 1 more may have been`,
  ],
  ['told to wait', WAIT, {}, 'Try again in 60 min'],
])('no further item begins after one that failed: %s', async (_name, fault, options, says) => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', ...fault });
  const { error } = await setup.run(emailParameters({ concurrency: 1 }), people(5), options);
  expect(error?.itemIndex).toBe(0);
  expect(error?.message).toContain("send email 'Welcome' to person-0@example.com");
  expect(error?.description).toContain(says);
  expect(await setup.sandbox.emails()).toEqual([]);
});

test('few items are under way when one fails', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', delayMs: 100 });
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', ...REFUSED });
  const { error } = await setup.run(emailParameters(), people(300));
  const sent = (await setup.sandbox.emails()).length;
  expect(sent).toBeLessThan(20);
  expect(error?.httpCode).toBe('422');
  expect(error?.message).toContain(`${sent} of 300 items were carried out in this run of the node`);
});

async function untilSent(count: number): Promise<void> {
  while ((await setup.sandbox.emails()).length < count) await new Promise((resolve) => setImmediate(resolve));
}

test('after Stop no further item begins', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', every: 1, delayMs: 20 });
  const stop = new AbortController();

  const running = setup.run(emailParameters(), people(500), { stop: stop.signal });
  await untilSent(20);
  stop.abort();
  const { error } = await running;
  expect(error?.message).toBe('The execution was stopped');
  expect(error?.description).toMatch(
    /with the missing items only\.<br>\d+ of 500 .*, \d+ more may have been/,
  );

  // Those under way may arrive yet: as many as had gone well, 100 at most.
  const requests = setup.sandbox.requests({ route: 'sendTransactionalEmail' }).length;
  expect(requests).toBeLessThan(150);
  await setup.run(emailParameters(), people(1));
  expect(setup.sandbox.requests({ route: 'sendTransactionalEmail' }).length).toBeLessThanOrEqual(
    requests + 110,
  );
});

test('Continue: an unclear item does not advise Retry, as n8n offers none for a successful run', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', cut: true, times: 100 });
  const settings = { onError: 'continueRegularOutput' } as const;
  const { items } = await setup.run(emailParameters(), people(1), { settings });
  expect(items[0]?.json['error']).toMatch(
    /It may have been sent: look it up in the service's own log before you send it again\.$/,
  );
  expect(items[0]?.json['details']).toMatchObject({ unclear: true });
});

test('a service that fails during the check gets no request for each item', async () => {
  setup.sandbox.faults.next({ route: 'listTransactionalEmails', respond: { status: 500 }, times: 100 });

  const { error } = await setup.run(emailParameters(), people(20));

  expect(error?.itemIndex).toBe(0);
  const asked = setup.sandbox.requests().filter(({ route }) => route === 'listTransactionalEmails');
  expect(asked).toHaveLength(6);
});

test('of many reasons the message shows the first one, and which items failed', async () => {
  const ada = { ...ADA_ONLY, firstName: 'Ada' };
  const rows = [{ ...ada, email: '' }, { ...ada, email: 'a' }, ADA_ONLY, { ...ada, firstName: '' }];
  const { error } = await setup.run(emailParameters(), rows);
  expect(error?.context).toMatchObject({ code: 'no-value', itemIndex: 0 });
  expect(error?.description).toMatch(/<br>0 of 4 items .* of the node; 3 failed \(items 0, 1, 2\)\.$/);
  expect(writes(setup.sandbox)).toEqual([]);
});

test('on n8n 2.0, which does not tell the settings of the workflow, a failure is told as on others', async () => {
  const node = (await createN8nEngine()).nodeType(NODE_TYPE);
  const n8n = await createN8nEngine({
    nodes: {
      [NODE_TYPE]: {
        description: node.description,
        async execute(this: IExecuteFunctions) {
          const old = new Proxy(this, {
            has: (target, name) => name !== 'getWorkflowSettings' && name in target,
            get: (target, name): unknown =>
              name === 'getWorkflowSettings' ? undefined : Reflect.get(target, name),
          });
          return (await node.execute?.call(old)) ?? [];
        },
      },
    },
  });
  const { credentials } = setup;
  const options = { credentials, inputItems: [{}], mode: 'trigger' as const };
  const { error } = nodeOutcome(await n8n.execute(oneNode(emailParameters()), options));
  expect(error?.context).toMatchObject({ code: 'no-value', subject: { name: 'To Email' } });
  expect(error?.description).toContain(RETRY);
});

test('items are sent concurrently, and the output has the order of the input', async () => {
  setup.sandbox.faults.next({ address: 'person-0@example.com', hang: true, times: 100 });
  const running = setup.run(emailParameters({ concurrency: 2 }), people(20));
  await untilSent(19);
  setup.sandbox.faults.clear();
  const { items } = await running;
  expect(items.map(({ json, pairedItem }) => [json['email'], pairedItem])).toEqual(
    people(20).map(({ email }, index) => [email, index]),
  );
});

describe('several items for the same contact', () => {
  const rows = ['One', 'Two', 'Three'].flatMap((lastName) => [
    { email: 'ada@example.com', lastName },
    { email: 'ADA@example.com ', lastName: `${lastName} again` },
  ]);
  const fields = mapped({ lastName: '={{ $json.lastName }}' });
  const email = '={{ $json.email }}';

  test.each([
    ['update', { contact: locator('email', email), fields }],
    ['upsert', { email, eventName: 'contactImported', contactFields: fields }],
  ])('%s: they are carried out in the order of the input, and the last one wins', async (operation, more) => {
    const route = operation === 'update' ? 'updateContact' : 'sendEvent';
    setup.sandbox.faults.next({ delayMs: 150, route });
    const { error } = await setup.run({ resource: 'contact', operation, ...more }, rows);
    expect(error).toBeUndefined();
    const sent = setup.sandbox.requests({ route }).map((entry) => bodyOf(entry)['lastName']);
    expect(sent).toEqual(rows.map(({ lastName }) => lastName));
    const [ada] = (await setup.sandbox.contacts()).filter((one) => /^ada@/i.test(one.email ?? ''));
    expect(ada?.lastName).toBe('Three again');
  });

  const BOTH = { email: '={{ $json.email }}', userId: '={{ $json.userId }}' };

  test('by either identifier, if one item has both: they are carried out in the order of the input', async () => {
    const ada = { email: 'ada@example.com' };
    const mixed = [ada, { userId: 'user-1' }, { ...ada, userId: 'user-1' }];
    setup.sandbox.faults.next({ delayMs: 150, route: 'sendEvent' });
    await setup.run({ resource: 'event', operation: 'send', eventName: 'signedUp', ...BOTH }, mixed);
    const sent = setup.sandbox.requests({ route: 'sendEvent' }).map(bodyOf);
    expect(sent).toEqual(mixed.map((who) => ({ ...who, eventName: 'signedUp' })));
  });

  const keep = { addToAudience: true, contactFields: { userId: BOTH.userId } };
  const SENDING = [
    [
      'update',
      {
        ...{ resource: 'contact', operation: 'update', contact: locator('email', BOTH.email) },
        fields: mapped({ userId: BOTH.userId }),
      },
    ],
    ['event', { resource: 'event', operation: 'send', eventName: 'signedUp', ...BOTH }],
    ['upsert', { resource: 'contact', operation: 'upsert', eventName: 'signedUp', ...BOTH }],
    ['email', { ...emailParameters(), ...keep }],
  ] as const;

  test.each(SENDING)(
    '%s: two contacts in one stop the run before either is written',
    async (_name, parameters) => {
      for (const [email, userId] of [
        ['bob@example.com', 'user-1'],
        ['ada@example.com', 'user-2'],
      ] as const) {
        const { error } = await setup.run({ ...parameters }, [
          { email: 'ada@example.com', userId: 'user-1', firstName: 'Ada' },
          { email: 'ADA@example.com', userId: 'user-1', firstName: 'Ada' },
          { email, userId, firstName: 'Bob' },
        ]);
        expect(error?.context).toMatchObject({ code: 'identity-conflict', itemIndex: 2 });
      }
      expect(writes(setup.sandbox)).toEqual([]);
    },
  );
});

test.each<[string, INodeParameters, IDataObject, object, RegExp, RegExp]>([
  ['an address without a value', {}, {}, { code: 'no-value' }, /Filter node/, /\?\?/],
  ['a list', { email: '={{ ["a@example.com"] }}' }, {}, { expected: 'one-value' }, /Split Out/, /list.*list/],
  ['absent', { dataVariables: AUTO_MAPPED }, ADA_ONLY, { code: 'absent' }, /the input/, /Fill/],
])('the advice fits the problem: %s', async (_what, parameters, row, problem, right, wrong) => {
  const { error } = await setup.run({ ...emailParameters(), ...parameters }, [row], TRIGGER);
  expect(error?.context).toMatchObject(problem);
  expect(error?.description).toMatch(right);
  expect(`${error?.message} ${error?.description}`).not.toMatch(wrong);
});
