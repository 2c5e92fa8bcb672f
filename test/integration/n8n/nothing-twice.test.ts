import type { IDataObject } from 'n8n-workflow';
import { fastClockForTests } from './fast-clock.js';
import {
  bodyOf,
  emailParameters,
  locator,
  mapped,
  NODE,
  nodeOutcome,
  oneNode,
  people,
  setUpForFile,
  writes,
} from './support.js';
import type { NodeRun, RunOptions } from './support.js';

const setup = setUpForFile();

const THREE = people(3);

/** How an email went out, as the output tells. */
function deliveryOf({ json }: NodeRun['items'][number]): IDataObject {
  const { delivery } = json;
  return Object.fromEntries(Object.entries(delivery ?? {}));
}

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
  const { outcome, items } = await failOnOne({ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });

  expect(outcome.status).toBe('success');
  expect(items.map(({ json, pairedItem }) => [json['email'], pairedItem])).toEqual(
    THREE.map(({ email }, index) => [email, index]),
  );
  expect(writes(setup.sandbox)).toHaveLength(4);
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
});

test('Retry On Fail with Continue runs all items again when the first one failed, and each arrives once', async () => {
  const { outcome } = await failOnOne({
    retryOnFail: true,
    maxTries: 2,
    waitBetweenTries: 1,
    onError: 'continueRegularOutput',
  });

  expect(outcome.status).toBe('success');
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
});

test.each(['run', 'content'])(
  'what is another text at every try goes out once, however often Retry On Fail runs the node: once per %s',
  async (sendOnce) => {
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
    const parameters = emailParameters(
      { concurrency: 1, onFailedItem: 'finish', sendOnce },
      { firstName: "={{ Math.random() + '' }}", planName: 'x' },
    );
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
    const { outcome } = await setup.run(parameters, THREE, { settings });

    expect(outcome.status).toBe('success');
    // A service that refuses used keys takes half a minute to tell what this run knows.
    expect(writes(setup.sandbox)).toHaveLength(4);
    expect(recipients()).toEqual(THREE.map(({ email }) => email));
  },
);

describe('the last item of a contact wins, also when the first one goes out in a later try', () => {
  const ROWS = ['Old', 'Other', 'New'].map((firstName) => ({
    ...{ firstName, email: firstName === 'Other' ? 'bo@example.com' : 'ada@example.com' },
  }));
  const parameters = {
    ...{ resource: 'contact', operation: 'upsert', eventName: 'imported', email: '={{ $json.email }}' },
    ...{ contactFields: mapped({ firstName: '={{ $json.firstName }}' }) },
    options: { onFailedItem: 'finish', retries: 0 },
  };
  const firstNames = () => setup.sandbox.contacts().map(({ firstName }) => firstName);
  beforeEach(() => {
    setup.sandbox.faults.next({ route: 'sendEvent', status: 422 });
  });

  test.each([{}, { onError: 'continueErrorOutput' } as const])('Retry On Fail, %j', async (more) => {
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1, ...more };
    const { outcome } = await setup.run(parameters, ROWS, { settings });
    expect(outcome.status).toBe('success');
    expect(firstNames()).toEqual(expect.arrayContaining(['New', 'Other']));
  });

  test("a person's Retry", async () => {
    const { outcome, workflow, error } = await setup.run(parameters, ROWS);
    expect(error?.description).toContain(
      "when that is corrected, choose 'Retry with currently saved workflow'",
    );
    expect(error?.description).toContain(
      '1 of 3 items was carried out. 1 more waits for an item of the same contact that failed (item 2).',
    );
    expect(firstNames()).toContain('Other');
    expect(firstNames()).not.toContain('New');

    const { n8n, credentials } = setup;
    expect((await n8n.retry(workflow, outcome, { credentials })).status).toBe('success');
    expect(firstNames()).toEqual(expect.arrayContaining(['New', 'Other']));
  });

  test('an item of which the check failed is no less an earlier one', async () => {
    setup.sandbox.faults.clear();
    setup.sandbox.faults.next({ route: 'listContactProperties', status: 500 });
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
    const custom = { ...parameters, contactFields: mapped({ companyName: '={{ $json.firstName }}' }) };
    const { outcome } = await setup.run(custom, ROWS, {
      settings: { ...settings, onError: 'continueRegularOutput' },
    });
    expect(outcome.status).toBe('success');
    const names = setup.sandbox.contacts().map(({ properties }) => properties['companyName']);
    expect(names).toEqual(expect.arrayContaining(['New', 'Other']));
  });

  test.each([
    ['the first item went well, so that n8n tries nothing again', {}, [ROWS[1], ROWS[0], ROWS[2]]],
    ['the events set nothing', { resource: 'event', operation: 'send', contactFields: mapped({}) }, ROWS],
  ])('nothing waits where %s', async (_, more, rows) => {
    setup.sandbox.faults.clear();
    if (rows !== ROWS) setup.sandbox.faults.next({ route: 'sendEvent', latencyMs: 1 });
    setup.sandbox.faults.next({ route: 'sendEvent', status: 422 });
    const settings = {
      retryOnFail: true,
      maxTries: 2,
      waitBetweenTries: 1,
      onError: 'continueRegularOutput',
    } as const;
    const options = { ...parameters.options, concurrency: 1 };
    await setup.run(
      { ...parameters, ...more, options },
      rows.map((row) => ({ ...row })),
      { settings },
    );
    const first = writes(setup.sandbox).slice(0, 3);
    expect(first.map(({ status }) => status)).toEqual(rows === ROWS ? [422, 200, 200] : [200, 422, 200]);
  });

  test('behind one that has to be corrected as well', async () => {
    setup.sandbox.faults.clear();
    const rows = [{ email: 'ada@example.com' }, { email: 'ada@example.com', firstName: 'New' }];
    const fields = (firstName: string) => ({ ...parameters, contactFields: mapped({ firstName }) });
    const { error, workflow, outcome } = await setup.run(fields("={{ 'x' + $json.firstName }}"), rows);
    expect(error?.message).toContain('in which $json.firstName has no value');
    expect(firstNames()).not.toContain('xNew');

    const [node] = workflow.nodes.filter(({ name }) => name === NODE);
    if (node !== undefined) node.parameters = fields("={{ 'x' + ($json.firstName ?? '') }}");
    const { n8n, credentials } = setup;
    expect((await n8n.retry(workflow, outcome, { credentials })).status).toBe('success');
    expect(firstNames()).toContain('xNew');
  });

  test('where nothing is tried again the last one is carried out, and the first one told', async () => {
    const settings = { onError: 'continueRegularOutput' } as const;
    const { items } = await setup.run(parameters, ROWS, { settings });
    expect(items.map(({ json }) => 'error' in json)).toEqual([true, false, false]);
    expect(firstNames()).toEqual(expect.arrayContaining(['New', 'Other']));
  });
});

test("User IDs that differ in case are two people, also to a key of one's own", async () => {
  const event = { resource: 'event', operation: 'send', eventName: 'welcomed', email: '' };
  const parameters = { ...event, userId: '={{ $json.id }}', options: { idempotencyKey: 'welcome' } };
  await setup.run(parameters, [{ id: 'aB1' }]);
  await setup.run(parameters, [{ id: 'Ab1' }]);
  expect(
    setup.sandbox
      .events()
      .map(({ userId }) => userId)
      .sort(),
  ).toEqual(['Ab1', 'aB1']);
});

test.each(['run', 'content'])(
  'a row that sets a contact back is carried out, once per %s',
  async (sendOnce) => {
    const parameters = {
      ...{ resource: 'contact', operation: 'upsert', eventName: 'imported', email: 'max@example.com' },
      ...{ contactFields: mapped({ firstName: '={{ $json.firstName }}' }), options: { sendOnce } },
    };
    const rows = ['Free', 'Free', 'Pro', 'Free', 'Pro', 'Free'].map((firstName) => ({ firstName }));
    const nameNow = () =>
      setup.sandbox.contacts().find(({ email }) => email === 'max@example.com')?.firstName;
    await setup.run(parameters, rows);
    expect(nameNow()).toBe('Free');
    expect(setup.sandbox.events()).toHaveLength(sendOnce === 'run' ? 6 : 5);

    setup.sandbox.faults.next({ route: 'sendEvent', status: 422, times: 1 });
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
    await setup.run(parameters, rows.concat({ firstName: 'Max' }), { settings });
    expect(nameNow()).toBe('Max');
    expect(setup.sandbox.events()).toHaveLength(sendOnce === 'run' ? 13 : 6);
  },
);

test('two equal items are two in a later try as well', async () => {
  setup.sandbox.faults.next({ route: 'listTransactionalEmails', status: 500 });
  const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
  const twice = [THREE[0] ?? {}, THREE[0] ?? {}];
  const { outcome } = await setup.run(emailParameters({ retries: 0, concurrency: 1 }), twice, {
    settings: { ...settings, onError: 'continueRegularOutput' },
  });
  expect(outcome.status).toBe('success');
  expect(recipients()).toHaveLength(2);
});

describe('Retry On Fail of properties goes on where the try before has stopped', () => {
  const parameters = {
    ...{ resource: 'contactProperty', operation: 'create', name: '={{ $json.name }}', type: 'string' },
    options: { retries: 0, concurrency: 1 },
  };
  const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
  const input = ['size', 'color', 'shape'].map((name) => ({ name }));

  test('what it has created does not stand in its own way', async () => {
    setup.sandbox.faults.next({ route: 'createContactProperty', latencyMs: 1 });
    setup.sandbox.faults.next({ route: 'createContactProperty', status: 503 });
    const run = await setup.run(parameters, input, { settings });
    expect(run.error).toBeUndefined();
    expect(run.items.map(({ json }) => json)).toEqual(
      input.map(({ name }) => ({ success: true, name, type: 'string', created: true })),
    );
    expect(run.hints).toEqual([]);
  });

  test('nor does what it may have created', async () => {
    setup.sandbox.faults.next({ route: 'createContactProperty', cut: true, when: 'after' });
    setup.sandbox.faults.next({ route: 'listContactProperties', latencyMs: 1 });
    setup.sandbox.faults.next({ route: 'listContactProperties', status: 503 });
    const run = await setup.run(parameters, input, { settings });
    expect(run.error).toBeUndefined();
    expect(run.items.map(({ json }) => json['success'])).toEqual([true, true, true]);
  });

  test('what was there before does, in each try', async () => {
    await setup.run(parameters, input.slice(1));
    const run = await setup.run(parameters, input, { settings });
    expect(run.error?.message).toBe("The contact property 'color' exists already [item 1]");
  });
});

test('two nodes with one id do not share their keys', async () => {
  const file = oneNode(emailParameters());
  const second = {
    ...file,
    nodes: file.nodes.flatMap((node) =>
      node.name === NODE
        ? [
            node,
            { ...node, name: 'Second', parameters: emailParameters({}, { firstName: 'x', planName: 'y' }) },
          ]
        : [node],
    ),
    connections: {
      Trigger: {
        main: [
          [
            { node: NODE, type: 'main' as const, index: 0 },
            { node: 'Second', type: 'main' as const, index: 0 },
          ],
        ],
      },
    },
  };
  const outcome = await setup.n8n.execute(second, {
    credentials: setup.credentials,
    inputItems: [THREE[0] ?? {}],
  });
  expect(outcome.status).toBe('success');
  expect(recipients()).toHaveLength(2);
});

test('a 429 and a fault in between are retried inside the node, with the same key', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 429, retryAfter: 0 });
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', cut: true, when: 'after' });

  const options = { concurrency: 1, deliveryDetails: true };
  const { outcome, items } = await setup.run(emailParameters(options), THREE);

  expect(outcome.status).toBe('success');
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
  const keys = writes(setup.sandbox).map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).toBe(3);
  // Of one the response was lost, and the service says that it was sent before: by this very run.
  expect(items.filter((item) => deliveryOf(item)['deduplicated'] === true)).toEqual([]);
  expect(nodeOutcome(outcome).hints).toEqual([]);
  expect(items.reduce((sum, item) => sum + Number(deliveryOf(item)['attempts']), 0)).toBe(5);
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

test('a person who retries an execution that crashed sends only what had not gone out', async () => {
  const crashed = await failOnOne();
  const { n8n, credentials } = setup;
  const retried = await n8n.retryCrashed(crashed.workflow, crashed.outcome, { credentials });

  expect(retried.status).toBe('success');
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
});

test('a retry of what crashed after this node had ended sends nothing again, however n8n counts its runs', async () => {
  const first = await setup.run(emailParameters(), THREE);
  const { n8n, credentials } = setup;
  const retried = await n8n.retryCrashed(
    first.workflow,
    first.outcome,
    { credentials },
    { ended: ['Audience'] },
  );
  expect(retried.status).toBe('success');
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
  // A Retry of that retry, had it failed, is about the same run of the node.
  const again = await n8n.takeOver(first.workflow, retried, { credentials, mode: 'retry' });
  expect(again.status).toBe('success');
  expect(recipients()).toHaveLength(3);
});

test('nor does a retry of a retry that crashed, of which n8n kept the begin of the run and no more', async () => {
  const first = await setup.run(emailParameters(), THREE);
  const { n8n, credentials } = setup;
  const { atStart, atEnd } = first.outcome;
  const audienceRun: unknown = atEnd.executionData?.contextData['flow']?.['audienceRun'];
  if (atStart.executionData === undefined) throw new Error('There is a start.');
  const executionData = {
    ...atStart.executionData,
    contextData: { flow: { audienceRun } },
  };
  const crashed = { ...first.outcome, atStart: { ...atStart, executionData } };
  const retried = await n8n.retryCrashed(first.workflow, crashed, { credentials }, { ended: ['Audience'] });
  expect(retried.status).toBe('success');
  expect(recipients()).toEqual(THREE.map(({ email }) => email));
});

test('what two items of one person say may differ when they are checked and be the same when they go out', async () => {
  const count = 1_002;
  const rows = people(count).map((row, index) =>
    index < 1_000 ? row : { ...row, email: 'same@example.com', at: true },
  );
  let random = 0;
  // Items past the first 1,000 are prepared anew when they are carried out: nothing changes any more by then.
  const changing = jest.spyOn(Math, 'random').mockImplementation(() => {
    if (setup.sandbox.emails().length === 0) random = (random + 0.001) % 1;
    return random;
  });
  try {
    const variables = { firstName: '={{ $json.at ? Math.random() : 1 }}', planName: 'Free' };
    const { outcome } = await setup.run(emailParameters({}, variables), rows);
    expect(outcome.status).toBe('success');
  } finally {
    changing.mockRestore();
  }
  expect(recipients().filter((to) => to === 'same@example.com')).toHaveLength(2);
});

test.each([
  ['above', (rows: IDataObject[]) => [{ ...rows[0], email: 'new@example.com' }, ...rows], 4],
  ['that is gone', (rows: IDataObject[]) => rows.slice(1), 3],
  ['that is there twice', (rows: IDataObject[]) => [...rows, ...rows.slice(0, 1)], 4],
] as const)(
  'a retry of what crashed reads its rows anew: with one %s, the others get nothing again',
  async (_, change, mails) => {
    const first = await setup.run(emailParameters(), THREE);
    const { n8n, credentials } = setup;
    const changed = change(THREE);
    const retried = await n8n.retryCrashed(first.workflow, first.outcome, { credentials }, { changed });
    expect(retried.status).toBe('success');
    expect(recipients()).toHaveLength(mails);
  },
);

test.each([
  ['of a failed run', {}, 'retry'],
  ['of a failed run with once per content', { sendOnce: 'content' }, 'retry'],
  ['of a failed run with own keys', { idempotencyKey: 'may' }, 'retry'],
  ['of a crashed run', {}, 'retryCrashed'],
] as const)(
  'a retry %s after the 24 hours of the service sends nothing, and says why',
  async (_, options, how) => {
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
    const parameters = emailParameters({ concurrency: 1, onFailedItem: 'finish', ...options });
    const failed = await setup.run(parameters, THREE);
    expect(failed.error?.description).toMatch(/'Retry with .* Within 24 hours/);
    const { n8n, credentials } = setup;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 60 * 60 * 1000);
    try {
      const retried = nodeOutcome(await n8n[how](failed.workflow, failed.outcome, { credentials }));
      expect(retried.error?.message).toMatch(/began 25 hours ago, and the service knows for 24 hours only/);
      expect(retried.error?.description).not.toMatch(/choose Retry|'Retry with/);
    } finally {
      clock.mockRestore();
    }
    expect(recipients()).toHaveLength(2);
  },
);

test('the same with Retry On Fail, whose second try is no less a retry of what crashed', async () => {
  const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422, times: 4 });
  const parameters = emailParameters({ concurrency: 1, onFailedItem: 'finish' });
  const crashed = await setup.run(parameters, THREE, { settings });
  expect(crashed.outcome.status).toBe('error');
  const { n8n, credentials } = setup;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 60 * 60 * 1000);
  try {
    expect((await n8n.retryCrashed(crashed.workflow, crashed.outcome, { credentials })).status).toBe('error');
  } finally {
    clock.mockRestore();
  }
  expect(recipients()).toHaveLength(2);
});

test('a new run with the same content does send', async () => {
  await setup.run(emailParameters(), THREE);
  await setup.run(emailParameters(), THREE);

  expect(recipients()).toHaveLength(6);
});

test('an instance that counts its executions from 1 again does send', async () => {
  for (const mode of ['manual', 'trigger'] as const) {
    setup.sandbox.reset();
    await setup.run(emailParameters(), THREE, { mode, executionId: '1' });
    await setup.run(emailParameters(), THREE, { mode, executionId: '1' });
    expect(recipients()).toHaveLength(6);
  }
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

/** Both kinds of services: those that refuse a used key, and those that replay the response to it. */
describe.each(['refuse', 'replay'] as const)(
  "a key of the person's own, on a service that would %s",
  (duplicates) => {
    fastClockForTests(20);
    const setup = setUpForFile({ profile: { duplicates } });

    const PEOPLE: IDataObject[] = ['ada', 'grace', 'dorothy'].map((name) => ({
      email: `${name}@example.com`,
      firstName: name,
    }));
    const recipients = () => setup.sandbox.emails().map(({ to }) => to);

    test('the same key for several people: each gets their mail', async () => {
      const { items, error } = await setup.run(emailParameters({ idempotencyKey: 'may-newsletter' }), PEOPLE);
      expect(error).toBeUndefined();
      expect(items.map(({ json }) => json['success'])).toEqual([true, true, true]);
      expect(recipients().sort()).toEqual(['ada@example.com', 'dorothy@example.com', 'grace@example.com']);
    });

    test('the same content to an address in another case goes out once, and that is said', async () => {
      const parameters = emailParameters({ sendOnce: 'content', deliveryDetails: true });
      await setup.run(parameters, [{ ...PEOPLE[0] }]);
      const again = { ...PEOPLE[0], email: 'ADA@Example.com' };
      const { items, hints } = await setup.run(parameters, [again]);
      expect(items.map(deliveryOf)).toMatchObject([{ deduplicated: true }]);
      expect(hints).toEqual(['1 of 1 item was sent before, in the last 24 hours, and not again.']);
      expect(recipients()).toEqual(['ada@example.com']);
    });

    test('the same key for two designs to one person: both go out', async () => {
      const key = { idempotencyKey: 'order-1001' };
      await setup.run(emailParameters(key), [{ ...PEOPLE[0] }]);
      const receipt = {
        ...emailParameters(key, { orderNumber: '1001', total: 5 }),
        transactionalId: locator('id', 'design-receipt'),
      };
      await setup.run(receipt, [{ ...PEOPLE[0] }]);
      expect(setup.sandbox.emails()).toHaveLength(2);
    });

    test('the same key for the same person and design: sent once, in any run, whatever the content', async () => {
      const parameters = emailParameters({
        idempotencyKey: '=order-{{ $json.orderNo }}',
        deliveryDetails: true,
      });
      await setup.run(parameters, [{ ...PEOPLE[0], orderNo: 1001 }]);
      const second = await setup.run(parameters, [{ ...PEOPLE[0], firstName: 'Countess', orderNo: 1001 }]);
      expect(second.items[0]?.json).toMatchObject({ success: true, delivery: { deduplicated: true } });
      expect(recipients()).toEqual(['ada@example.com']);
      expect(second.hints).toEqual([
        '1 of 1 item was sent before, in the last 24 hours, and not again.',
        expect.stringContaining("only the 'Idempotency Key' says that it was sent before"),
      ]);
    });

    test('the same key, person and design twice in one run with other content: nothing is sent', async () => {
      const { error } = await setup.run(emailParameters({ idempotencyKey: 'receipt' }), [
        { ...PEOPLE[1] },
        { ...PEOPLE[0] },
        { ...PEOPLE[0], firstName: 'Countess' },
      ]);
      expect(error?.message).toBe(
        "'Idempotency Key' is 'receipt' for two different contents to the same person, here and in item 1 of 'Audience' [item 2]",
      );
      expect(writes(setup.sandbox)).toEqual([]);
    });

    test('one address in three spellings with one key and one content is one email', async () => {
      const { error } = await setup.run(
        emailParameters({ idempotencyKey: 'receipt' }),
        ['ada@example.com', 'ADA@example.com', 'Ada@Example.com'].map((email) => ({ ...PEOPLE[0], email })),
      );
      expect(error).toBeUndefined();
      expect(recipients()).toHaveLength(1);
    });

    /** Sends by the key to one person, then by another node with the same key and other variables. */
    async function inTwoNodes(output: number, settings: { onError?: 'continueErrorOutput' } = {}) {
      const one = oneNode(emailParameters({ idempotencyKey: 'receipt' }), settings);
      const first = one.nodes.find(({ name }) => name === 'Audience');
      if (first === undefined) throw new Error('There is no node.');
      const parameters = {
        ...first.parameters,
        email: 'ada@example.com',
        dataVariables: mapped({ firstName: 'Countess', planName: 'Pro' }),
      };
      const main = [[], []].map((none, index) =>
        index === output ? [{ node: 'Second', type: 'main' as const, index: 0 }] : none,
      );
      const workflow = {
        ...one,
        nodes: [...one.nodes, { ...first, id: 'id-of-second', name: 'Second', parameters }],
        connections: { ...one.connections, Audience: { main } },
      };
      const { n8n, credentials } = setup;
      const outcome = await n8n.execute(workflow, { credentials, inputItems: [{ ...PEOPLE[0] }] });
      const retry = async () =>
        (await n8n.retry(workflow, outcome, { credentials, inputItems: [{ ...PEOPLE[0] }] })).nodes['Second'];
      return { second: outcome.nodes['Second'], retry };
    }

    test('the same in two nodes of one run', async () => {
      const { second, retry } = await inTwoNodes(0);
      for (const node of [second, await retry()]) {
        expect(node?.error?.message).toContain(
          "for two different contents to the same person, here and in item 0 of 'Audience'",
        );
      }
      expect(recipients()).toEqual(['ada@example.com']);
    });

    test('a node that sends what another one could not may use its key', async () => {
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
      const { second } = await inTwoNodes(1, { onError: 'continueErrorOutput' });
      expect(second?.error).toBeUndefined();
      expect(recipients()).toEqual(['ada@example.com']);
    });

    test('of any length, and with any letters', async () => {
      const { error } = await setup.run(
        emailParameters({ idempotencyKey: `=Bestellung-Ü-{{ 'x'.repeat(300) }}` }),
        [{ ...PEOPLE[0] }],
      );
      expect(error).toBeUndefined();
      expect(recipients()).toHaveLength(1);
    });

    test.each([
      ['=order-{{ $json.orderNo }}', "is 'order-', in which $json.orderNo has no value"],
      ['={{ $json.orderNo }}-receipt', "is '-receipt', in which $json.orderNo has no value"],
      ['=order-{{ $json.orderNo }}-receipt', "is 'order--receipt', in which $json.orderNo has no value"],
      ['=order {{ $json.orderNo }}', "is 'order', in which $json.orderNo has no value"],
      ['=order{{ $json.orderNo }}', "is 'order', in which $json.orderNo has no value"],
      ['=order ({{ $json.orderNo }})', "is 'order ()', in which $json.orderNo has no value"],
      ['={{ "order-" + $json.orderNo }}', "is 'order-undefined', in which $json.orderNo has no value"],
      ['={{ "order-" + null }}', "is 'order-null', in which null has no value"],
      ['={{ "order-" + Number("x") }}', `is 'order-NaN', in which Number("x") has no value`],
      [
        '={{ "order-" + {} }}',
        "is 'order-[object Object]', in which {} is an object, of which one field is wanted",
      ],
      ['={{ $json.orderNo }}', 'is empty: its expression gives nothing'],
      ['={{ null }}', 'is empty: its expression gives nothing'],
      ['={{ "  " }}', 'is empty: its expression gives nothing'],
      ['={{ {} }}', 'must be text or a number'],
      ['={{ [1001] }}', 'must be text or a number'],
      ['={{ true }}', 'must be text or a number'],
      ['={{ $now }}', 'must be text or a number'],
      [
        '={{ $json.firstName.slice(0, 0) + "-receipt" }}',
        "is '-receipt', in which $json.firstName.slice(0, 0) has no value",
      ],
      ['undefined', "is 'undefined', which an expression gives where there is no value"],
      ['={{ "order" + $json.nr }}', "is 'orderundefined', in which $json.nr has no value"],
      ['={{ null + "receipt" }}', "is 'nullreceipt', in which null has no value"],
      ['={{ "order" + Number("x") }}', `is 'orderNaN', in which Number("x") has no value`],
      [
        '={{ "order-" + "x".at }}',
        `is 'order-function at() { [native code] }', in which "x".at has no value`,
      ],
      ['order-{{ $json.orderNo }}', "is 'order-{{ $json.orderNo }}', an expression that was not evaluated"],
      ["={{ [$json.firstName, $json.orderNo].join('-') }}", "is 'ada-', in which $json.orderNo has no value"],
      ["={{ 'order-' + ($json.orderNo ?? '') }}", "is 'order-', in which $json.orderNo ?? '' has no value"],
      ['={{ ("order-" + $json.orderNo).hash() }}', 'in which $json.orderNo has no value'],
      ["={{ 'order-' + [1, $json.orderNo].map((one) => `no-${one}`).join() }}", 'in which one has no value'],
    ])('%s is refused with the reason', async (idempotencyKey, reason) => {
      const { error } = await setup.run(emailParameters({ idempotencyKey }), PEOPLE);
      expect(error?.message).toMatch(/^'Idempotency Key' .* \[item 0\]$/);
      expect(error?.message).toContain(reason);
      expect(error?.description).toContain('Check that its expression gives a value');
      expect(writes(setup.sandbox)).toEqual([]);
    });

    test.each(
      ['nullable-check-7', 'NaNx8fk29', '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'ab--cd_'].flatMap(
        (orderNo) => [
          ['={{ $json.orderNo }}', orderNo],
          ['=order-{{ $json.orderNo }}', orderNo],
          ["={{ $json.orderNo + '-' + $json.email.hash() }}", orderNo],
        ],
      ),
    )('%s is a key of its own for %s', async (idempotencyKey, orderNo) => {
      const { error } = await setup.run(emailParameters({ idempotencyKey }), [{ ...PEOPLE[0], orderNo }]);
      expect(error).toBeUndefined();
      expect(recipients()).toHaveLength(1);
    });

    test('an option that was added and left empty is as if it were not there', async () => {
      await setup.run(emailParameters({ idempotencyKey: '' }), [{ ...PEOPLE[0] }]);
      await setup.run(emailParameters({ idempotencyKey: '' }), [{ ...PEOPLE[0] }]);
      expect(recipients()).toHaveLength(2);
    });

    test('two runs that begin in the same millisecond both send', async () => {
      const now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
      try {
        for (const mode of ['trigger', 'trigger'] as const) {
          await setup.run(emailParameters(), [{ ...PEOPLE[0] }], { mode });
        }
      } finally {
        clock.mockRestore();
      }
      expect(recipients()).toHaveLength(2);
    });

    test('an event: the key is of that event for that contact', async () => {
      const event = (eventName: string, userId: string) => ({
        resource: 'event',
        operation: 'send',
        eventName,
        userId,
        options: { idempotencyKey: 1001 },
      });
      await setup.run(event('purchased', 'user-1'));
      await setup.run(event('purchased', 'user-2'));
      await setup.run(event('shipped', 'user-1'));
      expect(setup.sandbox.events()).toHaveLength(3);
      expect(bodyOf(writes(setup.sandbox)[2])).toMatchObject({ eventName: 'shipped' });
    });

    test.each<[string, RunOptions['settings']]>([
      ['a run', {}],
      ['Retry On Fail', { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }],
    ])('%s tells that a content which was changed did not go out', async (_which, settings) => {
      const keyed = (firstName: string) =>
        emailParameters(
          { idempotencyKey: '={{ $json.email }}', concurrency: 1, retries: 0, onFailedItem: 'finish' },
          { firstName, planName: 'Free' },
        );
      await setup.run(keyed('Old'), PEOPLE.slice(0, 1));
      // Grace's mail is refused in the first try of the node, in which Ada's is found by its key.
      if (settings?.retryOnFail === true)
        setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
      const { outcome, hints } = await setup.run(keyed('New'), PEOPLE.slice(0, 2).reverse(), { settings });
      expect(outcome.status).toBe('success');
      expect(recipients()).toEqual(['ada@example.com', 'grace@example.com']);
      expect(hints.join()).toContain("only the 'Idempotency Key' says that it was sent before");
    });

    test.each([{ sendOnce: 'content' }, { idempotencyKey: '={{ $json.email }}' }])(
      'what a Stop has left under way for long is not taken for sent: %j',
      async (options) => {
        setup.sandbox.faults.next({ route: 'sendTransactionalEmail', latencyMs: 60_000, status: 500 });
        const stop = new AbortController();
        const running = setup.run(emailParameters(options), people(1), { stop: stop.signal });
        while (setup.sandbox.faults.list().length > 0) await new Promise((resolve) => setImmediate(resolve));
        setTimeout(() => {
          stop.abort();
        }, 15_000);
        expect((await running).error?.description).toContain('begin it an hour later');
        const { error } = await setup.run(emailParameters(options), people(1));
        expect(error?.message).toContain('an earlier request ended without an answer');
        expect(recipients()).toEqual([]);
      },
    );
  },
);

describe('a 409 to the first try of a run, of which nobody knows what it is about', () => {
  test('is not taken for "sent before"', async () => {
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 409, times: 100 });
    const { error, outcome } = await setup.run(emailParameters(), people(1));
    expect(outcome.status).toBe('error');
    expect(error?.message).toMatch(/409/);
    expect(error?.message).toMatch(/^It is not clear whether the service did send email/);
    setup.sandbox.faults.clear();
    expect(recipients()).toEqual([]);
  });

  test('and a Retry of it finds out', async () => {
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 409 });
    const failed = await setup.run(emailParameters(), people(1));
    expect(failed.outcome.status).toBe('error');
    const { n8n, credentials } = setup;
    expect((await n8n.retry(failed.workflow, failed.outcome, { credentials })).status).toBe('success');
    expect(recipients()).toHaveLength(1);
  });
});
