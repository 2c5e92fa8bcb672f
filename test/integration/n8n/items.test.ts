import type { INodeParameters } from 'n8n-workflow';
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

const setup = setUpForFile();

const ITEMS = [people(3)[0], { email: 'not an address', firstName: 'Nobody' }, people(3)[2]].map((item) => ({
  ...item,
}));

test('Continue: the failed item says why in its place, the others go on', async () => {
  const { items, outcome } = await setup.run(emailParameters(), ITEMS, {
    settings: { onError: 'continueRegularOutput' },
  });

  expect(outcome.status).toBe('success');
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2]);
  expect(items[1]?.json['error']).toContain("'To Email' must be an email address");
  expect(items[1]?.json['error']).toContain('[item 1]');
  expect(items[1]?.json['details']).toEqual({ itemIndex: 1, reason: 'input' });
  expect(setup.sandbox.emails()).toHaveLength(2);
});

test('Continue with error output: failed items leave by the second output, with their input and pairing', async () => {
  const { branches, outcome } = await setup.run(emailParameters(), ITEMS, {
    settings: { onError: 'continueErrorOutput' },
  });

  expect(outcome.status).toBe('success');
  expect(branches[0]?.map(({ json, pairedItem }) => [json['email'], pairedItem])).toEqual([
    ['person-0@example.com', 0],
    ['person-2@example.com', 2],
  ]);
  expect(branches[1]?.map(({ json, pairedItem }) => [json['email'], json['firstName'], pairedItem])).toEqual([
    ['not an address', 'Nobody', 1],
  ]);
  expect(branches[1]?.[0]?.json['error']).toContain("'To Email' must be an email address");
  expect(outcome.nodes['Done']?.items).toHaveLength(2);
  expect(outcome.nodes['Failed']?.items).toHaveLength(1);
});

test('a later batch that fails says how to go on, as earlier ones went out', async () => {
  // Two branches that end in one node make it run twice, as a loop does.
  const parameters = { ...emailParameters(), email: "={{ $runIndex === 0 ? $json.email : 'nobody' }}" };
  const workflow = oneNode(parameters);
  const toNode = { main: [[{ node: NODE, type: 'main' as const, index: 0 }]] };
  const branches = ['Done', 'Failed'];
  workflow.connections = {
    Trigger: { main: [branches.map((node) => ({ node, type: 'main' as const, index: 0 }))] },
    ...Object.fromEntries(branches.map((name) => [name, toNode])),
  };
  const { n8n, credentials } = setup;
  const outcome = await n8n.execute(workflow, { credentials, inputItems: people(1) });
  expect(setup.sandbox.emails()).toHaveLength(1);
  const { error } = nodeOutcome(outcome);
  expect(error?.description).toContain("'Execute workflow' would send all of them again");
  expect(error?.description).toMatch(
    /^Correct 'To Email'.* To go on when that is corrected, choose 'Retry with .*Those of earlier batches of this run are not counted/s,
  );
});

describe('what is wrong with the node as a whole is wrong with every item', () => {
  const sandboxUrl = (): string => setup.sandbox.url;
  const faults: [string, () => { options?: INodeParameters; credential?: Record<string, string> }, RegExp][] =
    [
      [
        'an address that cannot be',
        () => ({ credential: { baseUrl: `${sandboxUrl()}/v1` } }),
        /must end before/,
      ],
      ['a key with a space', () => ({ credential: { apiKey: 'key ' } }), /API Key|API key/],
      ['an option out of bounds', () => ({ options: { retries: -5 } }), /'Retries' must be/],
      ['an option that is no number', () => ({ options: { timeout: '={{ "abc" }}' } }), /'Timeout/],
      [
        'an option without a value',
        () => ({ options: { requestsPerSecond: '={{ $json.no }}' } }),
        /'Requests/,
      ],
    ];
  test.each(faults)('%s, with error output: nothing leaves by Success', async (_name, given, words) => {
    const { options, credential } = given();
    const { branches, outcome } = await setup.run(emailParameters(options), people(2), {
      settings: { onError: 'continueErrorOutput' },
      credentials: { audienceApi: { ...setup.credentials['audienceApi'], ...credential } },
    });
    expect(outcome.status).toBe('success');
    expect(branches[0] ?? []).toEqual([]);
    expect(branches[1]?.map(({ json }) => json['email'])).toEqual(people(2).map(({ email }) => email));
    expect(branches[1]?.[0]?.json['error']).toMatch(words);
    expect(writes(setup.sandbox)).toEqual([]);
  });

  test.each(faults)('%s, with Continue: each item says so', async (_name, given, words) => {
    const { options, credential } = given();
    const { items } = await setup.run(emailParameters(options), people(2), {
      settings: { onError: 'continueRegularOutput' },
      credentials: { audienceApi: { ...setup.credentials['audienceApi'], ...credential } },
    });
    expect(items).toHaveLength(2);
    for (const { json } of items) expect(json['error']).toMatch(words);
  });

  test('no credential at all', async () => {
    const { items, branches } = await setup.run(emailParameters(), people(1), {
      settings: { onError: 'continueErrorOutput' },
      credentials: {},
    });
    expect(branches[0] ?? items).toEqual([]);
    expect(branches[1]).toHaveLength(1);
  });
});

test('Stop: the error names the item, how many went out, and which others failed', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422, times: 2 });

  const { error, outcome } = await setup.run(
    emailParameters({ concurrency: 1, onFailedItem: 'finish' }),
    people(5),
  );

  expect(outcome.status).toBe('error');
  expect(error?.itemIndex).toBe(0);
  expect(error?.httpCode).toBe('422');
  expect(error?.description).toContain('3 of 5 items were carried out. 1 more failed too (item 1).');
  expect(setup.sandbox.emails()).toHaveLength(3);
});

test('Stop at once: no further item is begun after a failed one', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });

  const { error } = await setup.run(emailParameters({ concurrency: 1 }), people(5));

  expect(error?.description).toContain('0 of 5 items were carried out.');
  expect(setup.sandbox.emails()).toEqual([]);
});

test('Stop at once, with the defaults: few are under way then, and those that went out are named', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', latencyMs: 100 });
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });

  const { error } = await setup.run(emailParameters(), people(300));

  const sent = setup.sandbox.emails().length;
  expect(sent).toBeLessThan(20);
  expect(error?.description).toContain(`${sent} of 300 items were carried out.`);
  expect(error?.description).toMatch(/Under way at that moment, and carried out: items? \d/);
});

describe('after a part of the items was carried out, the message says how to go on', () => {
  test.each([
    ['manual', {}, "'Execute step' and 'Execute workflow' would send all of them again. 2 of 3"],
    [
      'trigger',
      {},
      "To go on when that is corrected, choose 'Retry with currently saved workflow' in the list of executions. It keeps the data of earlier nodes, so correct a value of theirs by its expression in this node, such as {{ $json.email === 'wrong' ? 'right' : $json.email }}. Within 24 hours it sends what is missing, and again only items whose content or recipient the correction has changed. 2 of 3",
    ],
    ['integrated', {}, 'set before the first run, what is missing). 2 of 3'],
    [
      'manual',
      { sendOnce: 'content' },
      "To go on when that is corrected, choose 'Retry with currently saved workflow' in the list of executions. It keeps the data of earlier nodes, so correct a value of theirs by its expression in this node, such as {{ $json.email === 'wrong' ? 'right' : $json.email }}. Within 24 hours it sends what is missing, and again only items whose content or recipient the correction has changed. 2 of 3",
    ],
    [
      'manual',
      { idempotencyKey: 'may' },
      "To go on when that is corrected, choose 'Retry with currently saved workflow' in the list of executions. It keeps the data of earlier nodes, so correct a value of theirs by its expression in this node, such as {{ $json.email === 'wrong' ? 'right' : $json.email }}. Within 24 hours it sends what is missing, and again only items whose content or recipient the correction has changed. 2 of 3",
    ],
  ] as const)('in mode %s with %j', async (mode, options, advice) => {
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
    const { error } = await setup.run(emailParameters({ onFailedItem: 'finish', ...options }), people(3), {
      mode,
    });
    expect(error?.description).toContain('2 of 3 items were carried out.');
    expect(error?.description).toContain(advice);
  });
});

test('where the service failed, Retry comes first; where it refused an item, to correct that does', async () => {
  const described = async (status: number): Promise<string> => {
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status, times: 1 });
    const options = { onFailedItem: 'finish', concurrency: 1, retries: 0 };
    const { error } = await setup.run(emailParameters(options), people(3), { mode: 'trigger' });
    return String(error?.description);
  };
  expect(await described(503)).toMatch(
    /^To go on, choose Retry of this execution, either kind, in the list of executions/,
  );
  expect(await described(422)).toMatch(
    /^The service says: .* To go on when that is corrected, choose 'Retry with/,
  );
});

test('a retry does not say of what earlier tries carried out that it was not', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
  const options = { onFailedItem: 'finish', concurrency: 1 };
  const { workflow, outcome } = await setup.run(emailParameters(options), people(4));
  expect(setup.sandbox.emails()).toHaveLength(3);

  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
  const { n8n, credentials } = setup;
  const retried = nodeOutcome(await n8n.retry(workflow, outcome, { credentials }));
  expect(retried.error?.description).toContain(
    '3 of 4 items were carried out or found to be. This is a later try: what earlier ones carried out of the rest is not counted here.',
  );
});

test('an item that is a sub-workflow of its own says what a new run of the one above does', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
  const { error } = await setup.run(emailParameters(), people(1), { mode: 'integrated' });
  expect(error?.description).toContain(
    "A new run of the workflow above it, also by Retry, sends all of them again (with 'Send Once Per",
  );
});

test.each([
  ['manual', { saveManualExecutions: false }],
  ['trigger', { saveDataErrorExecution: 'none' }],
] as const)('where n8n keeps no execution nobody is told to retry it: %s', async (mode, kept) => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
  const options = { mode, workflowSettings: kept };
  const { error } = await setup.run(emailParameters({ onFailedItem: 'finish' }), people(3), options);
  expect(error?.description).toContain(
    'By the settings of this workflow n8n keeps no such execution, so that it has no Retry. A new run sends all of them again. 2 of 3',
  );
});

test.each([
  ['', 'user-9', "'Email'"],
  ['ada@example.com', '', "'User ID'"],
])('an identifier whose expression gives nothing is told: %j, %j', async (email, userId, left) => {
  const parameters = {
    ...{ resource: 'contact', operation: 'upsert', eventName: 'imported' },
    ...{ email: '={{ $json.email }}', userId: '={{ $json.userId }}' },
  };
  const { hints } = await setup.run(parameters, [{ '\uFEFFname': 'x', email, userId }]);
  expect(hints).toHaveLength(1);
  expect(hints[0]).toContain(
    `${left} was left out, as there was no value for it. The name of the first column`,
  );
});

test("a person's Stop is felt: nothing more is begun", async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', percent: 100, seed: 1, latencyMs: 20 });
  const stop = new AbortController();

  const running = setup.run(emailParameters(), people(500), { stop: stop.signal });
  while (setup.sandbox.emails().length < 20) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  const { error } = await running;
  expect(error?.message).toBe('The execution was stopped, by somebody or by its time limit');
  expect(error?.description).toMatch(
    /of 500 items were carried out; \d+ more may have been \(items? .+\)\. A new run sends all of them again\.$/,
  );

  // Those under way may arrive yet: as many as had gone well, 50 at most.
  const requests = setup.sandbox.requests({ route: 'sendTransactionalEmail' }).length;
  expect(requests).toBeLessThan(150);
  await setup.run(emailParameters(), people(1));
  expect(setup.sandbox.requests({ route: 'sendTransactionalEmail' }).length).toBeLessThanOrEqual(
    requests + 60,
  );
});

test('what is not clear is not counted as not carried out', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', cut: true, when: 'after', times: 100 });

  const { error } = await setup.run(emailParameters({ retries: 0 }), people(3));

  expect(setup.sandbox.emails()).toHaveLength(3);
  expect(error?.description).not.toContain('more failed too');
  expect(error?.description).toMatch(
    /^To go on, choose Retry of this execution, either kind, in the list of executions, which continues.* 0 of 3 items were carried out; 3 more may have been \(items 0 to 2\)\./,
  );
});

test('a service that fails while the items are checked is not asked again for each of them', async () => {
  setup.sandbox.faults.next({ route: 'listTransactionalEmails', status: 500, times: 100 });

  const { error } = await setup.run(emailParameters({ retries: 0 }), people(20));

  expect(error?.itemIndex).toBe(0);
  const asked = setup.sandbox.requests().filter(({ route }) => route === 'listTransactionalEmails');
  expect(asked).toHaveLength(1);
});

test('of many reasons the first ones are told', async () => {
  const bad = [
    { email: '' },
    { email: 'a' },
    { email: 'b' },
    {},
    { firstName: '' },
    { firstName: { a: 1 } },
  ].map((row): IDataObject => ({ email: 'ada@example.com', firstName: 'Ada', userId: 'x', ...row }));
  delete bad[3]?.['firstName'];
  const { error } = await setup.run(emailParameters(), bad);
  expect(error?.message).toContain('is empty [item 0]');
  expect(error?.description).toMatch(
    /5 more failed too \(items 1 to 5\)\. Other reasons: .* to 'a' .*\[item 1\]; .* has no value \[item 3\]; .* must be text or a number.*\[item 5\]\./,
  );
});

test('all items that the check refuses are named, and nothing is sent', async () => {
  const { error } = await setup.run(emailParameters(), [...ITEMS, { email: '', firstName: 'Nobody' }]);

  expect(error?.itemIndex).toBe(1);
  expect(error?.description).toContain('0 of 4 items were carried out. 1 more failed too (item 3).');
  expect(error?.description).toContain("Other reasons: 'To Email' is empty [item 3].");
  expect(setup.sandbox.emails()).toEqual([]);
});

test('a fault that does not pass names the item and keeps its index', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 429, retryAfter: 3600 });

  const { error } = await setup.run(emailParameters({ concurrency: 1 }), people(1));

  expect(error).toMatchObject({ itemIndex: 0, httpCode: '429' });
  expect(error?.message).toContain("Could not send email 'design-welcome' to person-0@example.com");
  expect(error?.description).toContain('Try again in 60 min');
});

test('items go out concurrently, yet come out in the order of the input', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', latencyMs: 1000 });

  const { items } = await setup.run(emailParameters({ concurrency: 2 }), people(20));

  expect(items.map(({ json, pairedItem }) => [json['email'], pairedItem])).toEqual(
    people(20).map(({ email }, index) => [email, index]),
  );
  // One of the first two was held back, and the others did not wait for it.
  expect(['person-0@example.com', 'person-1@example.com']).toContain(setup.sandbox.emails().at(-1)?.to);
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
  ])(
    '%s: they are carried out in the order of the input, and the last one stays',
    async (operation, more) => {
      const route = operation === 'update' ? 'updateContact' : 'sendEvent';
      setup.sandbox.faults.next({ latencyMs: 150, route });
      const { error } = await setup.run({ resource: 'contact', operation, ...more }, rows);
      expect(error).toBeUndefined();
      const sent = setup.sandbox.requests({ route }).map((entry) => bodyOf(entry)['lastName']);
      expect(sent).toEqual(rows.map(({ lastName }) => lastName));
      const ada = setup.sandbox
        .contacts()
        .filter((contact) => contact.email?.toLowerCase() === 'ada@example.com');
      expect(ada).toMatchObject([{ lastName: 'Three again' }]);
    },
  );

  const BOTH = { email: '={{ $json.email }}', userId: '={{ $json.userId }}' };
  const keep = { addToAudience: true, contactFields: { userId: BOTH.userId } };
  const SENDING = [
    ['event', { resource: 'event', operation: 'send', eventName: 'signedUp', ...BOTH }],
    ['upsert', { resource: 'contact', operation: 'upsert', eventName: 'signedUp', ...BOTH }],
    ['email', { ...emailParameters(), ...keep }],
  ] as const;

  test.each(SENDING)(
    '%s: one User ID for two people stops the run before either is written',
    async (_name, parameters) => {
      const { error } = await setup.run({ ...parameters }, [
        { email: 'ada@example.com', userId: 'user-1', firstName: 'Ada' },
        { email: 'ADA@example.com', userId: 'user-1', firstName: 'Ada' },
        { email: 'bob@example.com', userId: 'user-1', firstName: 'Bob' },
      ]);
      expect(error?.message).toContain(
        "User ID 'user-1' comes with Email 'bob@example.com' here, and with Email 'ada@example.com' in item 0",
      );
      expect(error?.itemIndex).toBe(2);
      expect(writes(setup.sandbox)).toEqual([]);
    },
  );

  test('one email for two User IDs likewise', async () => {
    const { error } = await setup.run({ ...SENDING[0][1] }, [
      { email: 'ada@example.com', userId: 'user-1' },
      { email: 'ada@example.com', userId: 'user-2' },
    ]);
    expect(error?.message).toContain("Email 'ada@example.com' comes with User ID 'user-2' here");
    expect(writes(setup.sandbox)).toEqual([]);
  });

  test('after a failed one, with Stop, none of the others is begun', async () => {
    setup.sandbox.faults.next({ route: 'updateContact', status: 422 });
    const { error } = await setup.run(
      { resource: 'contact', operation: 'update', contact: locator('email', email), fields },
      rows,
    );
    expect(error?.description).toContain('0 of 6 items were carried out.');
    expect(setup.sandbox.requests({ route: 'updateContact' })).toHaveLength(1);
  });
});

test('no answer within the time-out: the request is tried again with the same key', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', hang: true, when: 'after' });

  const { items, error } = await setup.run(
    emailParameters({ timeout: 0.5, deliveryDetails: true }),
    people(1),
  );

  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({ success: true, delivery: { attempts: 2 } });
  expect(setup.sandbox.emails()).toHaveLength(1);
});

test('no answer at all: the message says so, and that it may have been sent', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', hang: true });

  const { error } = await setup.run(emailParameters({ timeout: 0.5, retries: 0 }), people(1));

  expect(error?.message).toContain(
    "May have failed to send email 'design-welcome' to person-0@example.com: no response from",
  );
  expect(error?.description).toBe(
    "To go on, choose Retry of this execution, either kind, in the list of executions, which continues from what was carried out and sends nothing twice, within 24 hours, as long as the node and its content stay the same. 'Execute step' and 'Execute workflow' would send all of them again.",
  );
});

const MANY = people(300);

describe('many items, on a clock that runs faster', () => {
  fastClockForTests(20);

  test('300 items while 20 % of the calls go wrong in one way or another: each email once, order and pairing kept', async () => {
    const { faults } = setup.sandbox;
    faults.next({ percent: 5, seed: 1, status: 500 });
    faults.next({ percent: 5, seed: 3, status: 503, when: 'after' });
    faults.next({ percent: 5, seed: 4, cut: true });
    faults.next({ percent: 5, seed: 5, cut: true, when: 'after' });
    faults.next({ percent: 3, seed: 2, status: 429, retryAfter: 0 });

    const { items, outcome } = await setup.run(emailParameters({ retries: 20, concurrency: 100 }), MANY);

    expect(outcome.error).toBeUndefined();
    expect(items.map(({ json, pairedItem }) => [json['email'], pairedItem])).toEqual(
      MANY.map(({ email }, index) => [email, index]),
    );
    const recipients = setup.sandbox.emails().map(({ to }) => to);
    expect(recipients).toHaveLength(MANY.length);
    expect(new Set(recipients).size).toBe(MANY.length);
    expect(faults.list().every(({ hits }) => hits > 0)).toBe(true);
  });

  test('an execution that stopped at an item and is retried by a person: each email once', async () => {
    setup.sandbox.faults.next({ percent: 2, seed: 7, status: 422 });
    const failed = await setup.run(emailParameters({ concurrency: 3 }), MANY);
    expect(failed.outcome.status).toBe('error');
    setup.sandbox.faults.clear();
    const sent = setup.sandbox.emails().length;
    expect(sent).toBeLessThan(MANY.length);

    const { n8n, credentials } = setup;
    const retried = await n8n.retry(failed.workflow, failed.outcome, { credentials });

    expect(retried.status).toBe('success');
    const recipients = setup.sandbox.emails().map(({ to }) => to);
    expect(recipients).toHaveLength(MANY.length);
    expect(new Set(recipients).size).toBe(MANY.length);
  });
});

test('Continue: of an unclear item no Retry is promised, which n8n does not offer of a run that succeeded', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', hang: true });
  const { items } = await setup.run(emailParameters({ timeout: 0.5, retries: 0 }), people(1), {
    settings: { onError: 'continueRegularOutput' },
  });
  expect(items[0]?.json['error']).toMatch(
    /^May have failed to send .* Look it up, as a new run sends it again\.$/,
  );
});

test('where the service is down it is said that nothing was sent', async () => {
  setup.sandbox.faults.next({ route: 'listTransactionalEmails', status: 503, times: 9 });
  const { error } = await setup.run(emailParameters({ retries: 0 }), people(1));
  expect(error?.message).toContain('(503)');
  expect(error?.description).toContain('Nothing was sent for this item.');
  const listed = await setup.run(
    { resource: 'email', operation: 'getAll', options: { retries: 0 } },
    people(1),
  );
  expect(listed.error?.description).not.toContain('Nothing was sent');
});

test('a column of which only this item has no cell is told among the others', async () => {
  const rows = [{ Email: 'ada@example.com', firstName: 'Ada' }, { firstName: 'Bo' }];
  const parameters = { ...emailParameters(), email: '={{ $json.Email }}' };
  const { error } = await setup.run(parameters, rows);
  expect(error?.description).toContain("The input has 'Email', 'firstName'.");
});

test('what stands in angle brackets is shown by n8n, which reads HTML, and is in the data as it is', async () => {
  const rows = ['', 'Ada <ada@example.com>'].map((email) => ({ email, firstName: 'Ada' }));
  const parameters = { ...emailParameters(), email: '={{ $json.email }}' };
  const { error } = await setup.run(parameters, rows);
  expect(error?.description).toContain("but is 'Ada &lt;ada@example.com>'");
  const settings = { onError: 'continueRegularOutput' } as const;
  const { items } = await setup.run(parameters, rows, { settings });
  expect(items[1]?.json['error']).toContain("but is 'Ada <ada@example.com>'");
});

test.each(['{{ $json.firstName }}', "{{ $json['firstName'] }}"])(
  'a text with a hole says what stands in its place, also where no item has the column: %s',
  async (part) => {
    const { error } = await setup.run(emailParameters({}, { firstName: `=Dear ${part}`, planName: 'Free' }), [
      { email: 'ada@example.com' },
    ]);
    expect(error?.description).toContain("The input has 'email'.");
    expect(error?.description).toMatch(/\|\| 'friend' \}\}, or '' for nothing\./);
  },
);

test('a variable that only the list of those that may be empty names is to be removed there', async () => {
  const parameters = { ...emailParameters(), sendEmpty: ['lastName'] };
  const { error } = await setup.run(parameters, people(1));
  expect(error?.description).toContain("Remove it from 'Variables That May Be Empty'");
  expect(error?.description).not.toContain('Refresh Variable List');
});

test('an address with a name around it is refused with a formula that takes it out', async () => {
  const rows = [{ column: 'Ada <ada@example.com>', firstName: 'Ada' }];
  const parameters = { ...emailParameters(), email: '={{ $json.column }}' };
  const { error } = await setup.run(parameters, rows);
  const [formula = ''] = /\{\{.*?\}\}/.exec(error?.description ?? '') ?? [];
  await setup.run({ ...parameters, email: `=${formula}` }, rows);
  expect(setup.sandbox.emails().map(({ to }) => to)).toEqual(['ada@example.com']);
});

test('an address without an ending is told', async () => {
  const { hints } = await setup.run(emailParameters(), [{ email: 'ada@example', firstName: 'Ada' }]);
  expect(hints).toEqual(['In 1 of 1 item (item 0), the email address has no ending, such as .com.']);
});

test('the same person in another case is the same', async () => {
  const [one = {}] = people(1);
  const { hints } = await setup.run(emailParameters(), [one, { ...one, email: 'PERSON-0@EXAMPLE.COM' }]);
  expect(hints.join()).toContain('1 of 2 items has the same person and content');
});

test.each([
  [
    { '\uFEFFemail': 'ada@example.com' },
    "The name of the first column of the input, 'email', begins with an invisible mark",
  ],
  [
    { 'email;firstName': 'ada@example.com;Ada' },
    "All columns of the input are one, 'email;firstName': set the 'Delimiter'",
  ],
])('an expression that finds no column says what is wrong with them: %j', async (item, says) => {
  const { error } = await setup.run(emailParameters(), [item]);
  expect(error?.message).toContain("'To Email' is empty");
  expect(error?.description).toContain(says);
});

test.each([
  ["={{ $json.first + ' ' + $json.last }}", { first: null, last: 'Lee' }, 'null Lee'],
  ["={{ 'Dear ' + $json.missing }}", {}, 'Dear undefined'],
  ["={{ 'Due ' + new Date($json.due).toLocaleDateString('de') }}", { due: '31.12.2026' }, 'Due Invalid Date'],
  ['={{ $json.due }}', { due: 'Invalid date' }, 'Invalid date'],
  ["={{ 'Total ' + $json.price * 2 }}", { price: 'x' }, 'Total NaN'],
])('what an expression makes of a missing value is not sent: %s', async (firstName, item, made) => {
  const { error } = await setup.run(emailParameters({}, { firstName, planName: 'x' }), [
    { email: 'ada@example.com', ...item },
  ]);
  expect(error?.message).toContain(`The variable 'firstName' is the text '${made}'`);
  expect(setup.sandbox.emails()).toEqual([]);
});

const NULL_FAMILY = {
  first: 'Ada',
  last: 'Null',
  note: 'undefined, as NaN',
  none: null,
  price: 9.5,
  tags: [],
};
test.each([
  ["={{ `${$json.first} ${$json.last ?? '-'}: null` }}", 'Ada Null: null'],
  ['={{ $json.first }} {{ $json.none }}{{ $json.note }}', 'Ada undefined, as NaN'],
  ["={{ ($json.none?.toFixed(2) ?? 'null') + ' Euro' }}", 'null Euro'],
  ["={{ ($json.price + $json.none).toFixed(1) + ($json.none || ' null') }}", '9.5 null'],
  ["={{ $json.none ? 'for ' + $json.none : 'for null' }}", 'for null'],
  ["={{ ['undefined', $json.note].map((text) => text + '!').join(' ') }}", 'undefined! undefined, as NaN!'],
  ["={{ 'null ' + $json.tags + $json.price.toLocaleString('de-CH') }}", 'null 9.5'],
  ['={{ JSON.stringify({ none: $json.none, last: $json.first + 1 }) }}', '{"none":null,"last":"Ada1"}'],
  ['={{ "null" + $if($json.none, 1, 2) }}', 'null2'],
  ['={{ "null " + $json.first.concat("", ...["a"]) + (1, 2) }}', 'null Adaa2'],
  ['={{ "null " + { a: { b: 1 } }.a.b }}', 'null 1'],
])('of a word for what is missing it counts where it comes from: %s', async (firstName, sent) => {
  const { error } = await setup.run(emailParameters({}, { firstName, planName: 'x' }), [
    { email: 'ada@example.com', ...NULL_FAMILY },
  ]);
  expect(error).toBeUndefined();
  expect(setup.sandbox.emails()[0]?.dataVariables['firstName']).toBe(sent);
});

test('a text that speaks of null is sent, in the input and in the expression', async () => {
  const variables = {
    firstName: "={{ 'null Euro, ' + $json.first }}",
    planName: "={{ $json.note + '!' }}",
  };
  const { error } = await setup.run(emailParameters({}, variables), [
    { email: 'ada@example.com', first: 'Ada', note: 'null problemo', empty: null },
  ]);
  expect(error).toBeUndefined();
  expect(setup.sandbox.emails()).toHaveLength(1);
});

test('a text of the input may speak of what is undefined', async () => {
  const variables = {
    firstName: '={{ $json.alerts.map(({ title }) => "high: " + title).join() }}',
    planName: 'x',
  };
  const alerts = [{ title: 'TypeError: undefined is not a function' }];
  const { error } = await setup.run(emailParameters({}, variables), [{ email: 'ada@example.com', alerts }]);
  expect(error).toBeUndefined();
  expect(setup.sandbox.emails()[0]?.dataVariables['firstName']).toMatch(/^high: TypeError/);
});

test('a User ID is the same with blanks around it, wherever it stands', async () => {
  const { error } = await setup.run(
    {
      ...{ resource: 'contact', operation: 'update', contact: locator('email', 'ada@example.com') },
      fields: mapped({ userId: '={{ $json.id }}' }),
    },
    [{ id: ' g-42 ' }],
  );
  expect(error).toBeUndefined();
  expect(bodyOf(writes(setup.sandbox)[0])).toEqual({ userId: 'g-42' });
});

test('where one of two that are the same fails, nobody is said to have got both', async () => {
  setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422 });
  const settings = { onError: 'continueRegularOutput' } as const;
  const { hints } = await setup.run(emailParameters(), [...people(1), ...people(1)], { settings });
  expect(setup.sandbox.emails()).toHaveLength(1);
  expect(hints.join()).not.toContain('more than once');
});

test('items that are the same are each sent in a run, and that is said', async () => {
  const { hints } = await setup.run(emailParameters(), [...people(1), ...people(1)]);
  expect(setup.sandbox.emails()).toHaveLength(2);
  expect(hints).toEqual([
    "1 of 2 items has the same person and content as an earlier one of this run and went out as well, so that it went out more than once. To send such once, choose 'Content in 24 Hours' in 'Send Once Per'.",
  ]);
});

describe('Map Automatically of contact fields', () => {
  const automatic = (resource: string, operation: string, field: string) => ({
    ...{ resource, operation, email: '={{ $json.email }}', eventName: 'imported' },
    ...(operation === 'update' ? { contact: locator('email', '={{ $json.email }}') } : {}),
    [field]: { mappingMode: 'autoMapInputData', value: null },
  });

  test('what it leaves out is told, with the names that it takes', async () => {
    const { error, hints } = await setup.run(automatic('contact', 'upsert', 'contactFields'), [
      { ...people(1)[0], 'Team size': 3, id: 'c-1', subscribed: true },
    ]);
    expect(error).toBeUndefined();
    expect(hints).toEqual([
      expect.stringMatching(
        /^In 1 of 1 item \(item 0\), 'Team size', 'id', 'subscribed' of the input set nothing on the contact\. 'Map Automatically' takes fields of these names: .*firstName/,
      ),
    ]);
  });

  test.each(['upsert', 'event'])(
    'who has opted out is not brought in as subscribed: %s',
    async (operation) => {
      const parameters =
        operation === 'upsert'
          ? automatic('contact', 'upsert', 'contactFields')
          : automatic('event', 'send', 'contactFields');
      for (const subscribed of [false, 'false', 'no', '2027-01-31']) {
        const { error } = await setup.run(parameters, [{ email: 'new@example.com', subscribed }]);
        expect(error?.message).toMatch(/'subscribed' of the input is (false|neither true nor false)/);
      }
      expect(writes(setup.sandbox)).toEqual([]);
      for (const said of [
        { unsubscribed: 'TRUE' },
        { optOut: 'yes' },
        { 'Opted out': 1 },
        { status: 'Unsubscribed' },
        { HasOptedOutOfEmail: true },
        { email_opt_out: 'yes' },
        { do_not_email: true },
        { dnc: true },
        { emailOptIn: 'n' },
        { marketing_consent: false },
        { is_subscribed: false },
        { 'Subscribed?': 'no' },
        { email_opt_in: 'false' },
        { accepts_marketing: 0 },
      ]) {
        const { error } = await setup.run(parameters, [{ email: 'new@example.com', ...said }]);
        expect(error?.message).toMatch(
          /as if the person had opted out, and this operation would add them as subscribed/,
        );
      }
      for (const said of [
        { unsubscribed: 'no' },
        { optOut: false },
        { status: 'active' },
        { opt_in: 'yes' },
        { sms_opt_in: 'no' },
        { adopting: false },
        { optIndex: 0 },
        { do_not_contact_before: '2027' },
        { do_not_contact: 'n' },
        { 'Subscribed newsletters': 0 },
      ])
        expect((await setup.run(parameters, [{ email: 'new@example.com', ...said }])).error).toBeUndefined();
      for (const subscribed of [true, 'TRUE', 'yes', ''])
        expect(
          (await setup.run(parameters, [{ email: 'new@example.com', subscribed }])).error,
        ).toBeUndefined();
    },
  );

  test('an update, which can unsubscribe, says how the column is to be named', async () => {
    const { error } = await setup.run(automatic('contact', 'update', 'fields'), [
      { email: 'ada@example.com', Subscribed: false },
    ]);
    expect(error?.message).toContain(
      "'Subscribed' of the input is not taken, as its name is written 'subscribed'",
    );
  });

  test('an update of who is subscribed, as Contact > Get gives them, leaves that as it is, and says so', async () => {
    const row = { email: 'ada@example.com', firstName: 'Ada', subscribed: true };
    const { hints } = await setup.run(automatic('contact', 'update', 'fields'), [row]);
    expect(bodyOf(writes(setup.sandbox).at(-1))).toEqual({ firstName: 'Ada' });
    expect(hints.join()).toContain(
      "the contact field 'Subscribed' stays as it is: only the contact can turn it on",
    );
  });

  test('identifiers that the operation uses are not said to be left out, others are', async () => {
    const row = { email: 'Ada@example.com', userId: 'user-1', createdAt: '2027-01-31', firstName: 'Ada' };
    const { hints } = await setup.run(automatic('contact', 'upsert', 'contactFields'), [row]);
    expect(hints.join()).toMatch(/, 'userId', 'createdAt' of the input set nothing on the contact/);
    const named = { ...automatic('contact', 'upsert', 'contactFields'), userId: '={{ $json.userId }}' };
    expect((await setup.run(named, [row])).hints.join()).toMatch(
      /, 'createdAt' of the input sets nothing on the contact/,
    );
  });

  test('the invisible mark at the begin of a file, and spaces around a name, are no part of it', async () => {
    const row = { '\uFEFFfirstName': 'Ada', ' lastName ': 'Lovelace', email: 'ada@example.com' };
    const { hints } = await setup.run(automatic('contact', 'upsert', 'contactFields'), [row]);
    expect(hints).toEqual([]);
    expect(bodyOf(writes(setup.sandbox)[0])).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
  });

  test('where an expression finds no value, the names of the input are told', async () => {
    const rows = [{ Email: 'ada@example.com', 'First name': 'Ada' }];
    const says = " The input has 'Email', 'First name'. Nothing was sent for this item.";
    for (const parameters of [
      emailParameters({}, { firstName: 'x', planName: 'x' }),
      { resource: 'event', operation: 'send', eventName: 'met', email: '={{ $json.email }}' },
      { resource: 'contact', operation: 'get', contact: locator('email', '={{ $json.email }}') },
    ]) {
      expect((await setup.run(parameters, rows)).error?.description).toContain(says);
    }
    const { error } = await setup.run(
      {
        ...emailParameters({}, { firstName: '={{ $json.First name }}', planName: 'x' }),
        email: 'ada@example.com',
      },
      rows,
    );
    expect(error?.description).toContain("{{ $json['First name'] }}");
  });

  test('an update of nothing says what was left out', async () => {
    const { error } = await setup.run(automatic('contact', 'update', 'fields'), [
      { email: 'ada@example.com', 'First Name': 'Ada' },
    ]);
    expect(error?.message).toContain(
      "There is nothing to change on contact 'ada@example.com': 'First Name' of the",
    );
  });
});

test('an update of nothing says so of a choice whose expression gives nothing, too', async () => {
  const { error } = await setup.run(
    {
      ...{ resource: 'contact', operation: 'update', contact: locator('email', 'ada@example.com') },
      additionalFields: { subscribeTo: '={{ $json.groups }}' },
    },
    people(1),
  );
  expect(error?.message).toContain("'Subscribe to Groups' was left out, as there was no value for it");
});

test('an expression that gives nothing, where a value may be left out, is told', async () => {
  const sent = await setup.run(
    {
      ...{ resource: 'event', operation: 'send', email: 'ada@example.com', eventName: 'paid' },
      eventProperties: { property: [{ name: 'total', type: 'auto', value: '={{ $json.nope }}' }] },
      contactFields: {
        mappingMode: 'defineBelow',
        value: { firstName: '={{ $json.nope }}', lastName: '' },
      },
    },
    people(2),
  );
  expect(sent.error).toBeUndefined();
  expect(sent.hints).toEqual([
    expect.stringContaining('1 of 2 items has the same person'),
    "In 2 of 2 items (items 0 and 1), the event property 'total' was left out, as there was no value for it. The input has 'email', 'firstName'.",
    "In 2 of 2 items (items 0 and 1), the contact field 'First Name' was left out, as there was no value for it. The input has 'email', 'firstName'.",
  ]);
});

test.each([
  ['subscribeTo', 'Subscribe to Groups'],
  ['unsubscribeFrom', 'Unsubscribe From Groups'],
  ['clear', 'Fields to Clear'],
])("a choice whose expression gives nothing is told: '%s'", async (name, label) => {
  const parameters = {
    ...{ resource: 'contact', operation: 'update', contact: locator('email', 'ada@example.com') },
    ...{ fields: mapped({ firstName: 'Ada' }), additionalFields: { [name]: '={{ $json.none }}' } },
  };
  expect((await setup.run(parameters, [{}])).hints).toEqual([
    `In 1 of 1 item (item 0), '${label}' was left out, as there was no value for it.`,
  ]);
  const none = { ...parameters, additionalFields: { [name]: "={{ $json.none ?? '' }}" } };
  expect((await setup.run(none, [{}])).hints).toEqual([]);
});
