import { AudienceClient } from 'audience-core';
import { DEFAULT_SEED, startSandbox } from 'audience-sandbox';
import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { until } from '../../hosts/until.js';
import { faultsOf, onBothServices, setFaults } from './model.js';
import { emailParameters, locator, mapped, NODE, nodeOutcome, oneNode, people, writes } from './support.js';
import type { NodeRun, Setup } from './support.js';

const ada = 'ada@example.com';
const bo = 'bo@example.com';

const OPTIONS = { onFailedItem: 'finish', retries: 0, concurrency: 1 };

const upsert = (firstName: string, more: INodeParameters = {}): INodeParameters => ({
  ...{ resource: 'contact', operation: 'upsert', eventName: 'imported', email: '={{ $json.email }}' },
  ...{ contactFields: mapped({ firstName }), options: OPTIONS },
  ...more,
});

const update = (firstName: string, more: INodeParameters = {}): INodeParameters => ({
  ...{ resource: 'contact', operation: 'update', contact: locator('email', '={{ $json.email }}') },
  ...{ fields: mapped({ firstName }), options: OPTIONS },
  ...more,
});

const TRIMMED = '={{ $json.firstName.toString().trim() + "" }}';

/** What a correction makes of a value, by its expression. */
const CORRECTIONS: Readonly<Record<string, (value: string) => string>> = {
  [TRIMMED]: (value) => value,
  '={{ "New " + $json.firstName.toString().trim() }}': (value) => `New ${value}`,
  '={{ $json.firstName.toString().trim() == "Pro" ? "Free" : "Pro" }}': (value) =>
    value === 'Pro' ? 'Free' : 'Pro',
};

/** Retries what failed, with the workflow as it is saved by then. */
async function retry(
  { n8n, credentials }: Setup,
  failed: NodeRun,
  corrected?: INodeParameters,
): Promise<Omit<NodeRun, 'workflow'>> {
  const workflow = corrected === undefined ? failed.workflow : oneNode(corrected);
  const outcome = await n8n.retry(workflow, failed.outcome, { credentials });
  return { ...nodeOutcome(outcome), outcome };
}

/** The first version of the workflow refuses lists, the corrected one changes what has a blank. */
const scenario = fc.record({
  operation: fc.constantFrom('upsert', 'update'),
  rows: fc.array(
    fc.record({
      email: fc.constantFrom(ada, bo),
      by: fc.constantFrom('email', 'userId', 'both'),
      firstName: fc.constantFrom<string | string[]>('Free', ' Free', 'Pro', ' Pro', ['Free'], ['Pro']),
    }),
    { minLength: 2, maxLength: 5 },
  ),
  faults: fc.array(
    faultsOf([{ status: 422 }, { status: 503 }, { cut: true, when: 'after' }], {
      percents: [30],
      times: [1, 2],
    }),
    { maxLength: 1 },
  ),
  retries: fc.constantFrom(0, 1),
  corrections: fc.array(fc.constantFrom(...Object.keys(CORRECTIONS)), { minLength: 1, maxLength: 3 }),
  // Else the latest one is. It does not know of other corrections that were sent meanwhile.
  isFirstRetried: fc.array(fc.boolean(), { maxLength: 3 }),
  concurrency: fc.constantFrom(1, 10),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

async function runAndCheck(setup: Setup, given: Scenario): Promise<void> {
  const { operation, faults, concurrency, corrections, retries, isFirstRetried } = given;
  const rows = [
    // They tell the User IDs by which an upsert may name somebody; an update goes by email.
    ...[ada, bo].map((email) => ({ email, by: 'both', firstName: 'Free' })),
    ...given.rows,
    // Is refused in any case: so there is something to correct.
    { email: bo, by: 'email', firstName: ['Max'] },
  ];
  setup.sandbox.load({ contacts: [{ email: ada }, { email: bo }] });
  for (const route of ['sendEvent', 'updateContact'] as const) setFaults(setup.sandbox, route, faults);
  const parameters = (firstName: string) =>
    operation === 'upsert'
      ? upsert(firstName, {
          email: "={{ $json.by === 'userId' ? '' : $json.email }}",
          userId: "={{ $json.by === 'email' ? '' : 'id-of-' + $json.email }}",
          options: { ...OPTIONS, concurrency, retries },
        })
      : update(firstName, { options: { ...OPTIONS, concurrency, retries } });
  const run = await setup.run(parameters('={{ $json.firstName }}'), rows, { mode: 'trigger' });
  let { outcome } = run;
  let correction = '';
  for (let tries = 0; tries < 8 && outcome.status === 'error'; tries += 1) {
    const last = isFirstRetried.includes(true) ? 0 : corrections.length - 1;
    correction = corrections[Math.min(tries, last)] ?? '';
    const retried = isFirstRetried[tries] === true ? run.outcome : outcome;
    ({ outcome } = await retry(setup, { ...run, outcome: retried }, parameters(correction)));
  }
  if (outcome.status === 'error') return;
  for (const { email, firstName } of rows) {
    const last = rows.filter((row) => row.email === email).at(-1) ?? { firstName };
    const has = setup.sandbox.contacts().find((one) => one.email === email)?.firstName;
    const value = CORRECTIONS[correction]?.([last.firstName].flat().join('').trim());
    expect([email, has]).toEqual([email, value]);
  }
}

const row = fc.record({ email: fc.constantFrom(ada, bo), firstName: fc.constantFrom('Free', 'Pro') });

/** Upserts that are retried as they are, some of them after a run that has sent the same. */
const plain = fc.record({
  before: fc.array(row, { maxLength: 2 }),
  rows: fc.array(row, { minLength: 2, maxLength: 6 }),
  faults: fc.array(
    faultsOf([{ status: 422 }, { status: 503 }, { cut: true, when: 'after' }, { cut: true }], {
      percents: [20, 50],
      times: [1, 2, 4],
    }),
    { minLength: 1, maxLength: 3 },
  ),
  sendOnce: fc.constantFrom('run', 'content'),
  onFailedItem: fc.constantFrom('stop', 'finish'),
  retries: fc.constantFrom(0, 1),
  concurrency: fc.constantFrom(1, 10),
});

type Plain = typeof plain extends fc.Arbitrary<infer Value> ? Value : never;

async function runPlainly(
  setup: Setup,
  { before, rows, faults, ...options }: Plain,
): Promise<ReturnType<typeof writes>> {
  const parameters = upsert('={{ $json.firstName }}', { options });
  if (before.length > 0) await setup.run(parameters, before);
  setFaults(setup.sandbox, 'sendEvent', faults);
  const run = await setup.run(parameters, rows, { mode: 'trigger' });
  let { outcome } = run;
  for (let tries = 0; tries < 5 && outcome.status === 'error'; tries += 1)
    ({ outcome } = await retry(setup, { ...run, outcome }));
  return writes(setup.sandbox);
}

onBothServices(15, ({ setup, duplicates, holds }) => {
  beforeEach(() => {
    setup.sandbox.load({
      subscriptionGroups: [{ id: 'news', name: 'News' }],
      contacts: [{ email: ada }, { email: bo }],
    });
  });
  const contact = (email: string) => setup.sandbox.contacts().find((one) => one.email === email);

  describe('an older item that is corrected does not win over a newer one that went out', () => {
    const ROWS: IDataObject[] = [
      { email: ada, firstName: ' Free' },
      { email: ada, firstName: 'Pro' },
      { email: bo, firstName: ['Free'] },
    ];
    holds('whatever the correction changes, and whatever fails', scenario, runAndCheck);

    holds('a Retry of what was not corrected sets nothing again by an update', plain, async (_, given) => {
      for (const { method } of await runPlainly(setup, given)) expect(method).toBe('POST');
    });

    test.each([
      ['upsert', upsert],
      ['update', update],
    ])('%s, of which the correction changes the older one', async (_, parameters) => {
      const failed = await setup.run(parameters('={{ $json.firstName }}'), ROWS);
      expect(failed.outcome.status).toBe('error');
      expect(contact(ada)?.firstName).toBe('Pro');

      const { outcome } = await retry(setup, failed, parameters(TRIMMED));
      expect(outcome.status).toBe('success');
      expect([contact(ada)?.firstName, contact(bo)?.firstName]).toEqual(['Pro', 'Free']);
    });

    test('where the older one was refused before it was known whose it is', async () => {
      const rows = [
        { email: ada, firstName: 'Free' },
        { email: ada, firstName: 'Pro', source: 'crm' },
      ];
      const named = (source: string) =>
        upsert('={{ $json.firstName }}', { eventName: `=imported-{{ ${source} }}` });
      const failed = await setup.run(named('$json.source'), rows);
      expect(failed.outcome.status).toBe('error');
      expect(contact(ada)?.firstName).toBe('Pro');

      expect((await retry(setup, failed, named("$json.source ?? 'crm'"))).outcome.status).toBe('success');
      expect(contact(ada)?.firstName).toBe('Pro');
      // The newer event began what it begins once.
      expect(setup.sandbox.events().map(({ contactId }) => contactId)).toHaveLength(2);
    });

    test('also where it takes two Retries, of which the first can set nothing again', async () => {
      const failed = await setup.run(upsert('={{ $json.firstName }}'), ROWS);
      setup.sandbox.faults.next({ route: 'updateContact', status: 503 });
      const once = await retry(setup, failed, upsert(TRIMMED));
      expect(once.outcome.status).toBe('error');
      // A new run, begun by who reads that it failed, would send it again.
      expect(once.error?.message).toMatch(/^It was sent, but 'First Name' .* could not be set again: .*503/);
      expect(once.error?.description).toContain('3 of 3 items were carried out or found to be.');
      const twice = await retry(setup, { ...failed, outcome: once.outcome }, upsert(TRIMMED));
      expect(twice.outcome.status).toBe('success');
      expect(contact(ada)?.firstName).toBe('Pro');
    });

    test('and where On Error is Continue, what was sent is no failure: what could not be set is told', async () => {
      const failed = await setup.run(upsert('={{ $json.firstName }}'), ROWS);
      setup.sandbox.faults.next({ route: 'updateContact', status: 503 });
      const [node] = failed.workflow.nodes.filter(({ name }) => name === NODE);
      Object.assign(node ?? {}, { parameters: upsert(TRIMMED), onError: 'continueRegularOutput' });
      const { items, hints } = await retry(setup, failed);
      expect(items.map(({ json }) => json['success'])).toEqual([true, true, true]);
      expect(hints.join()).toContain(
        "'First Name' may have the value of an older item, as this item's could not be set again",
      );
    });

    test('what people have changed meanwhile stays, but for what the older one sets', async () => {
      const parameters = (firstName: string) =>
        upsert(firstName, {
          additionalFields: { subscribeTo: "={{ $json.firstName === 'Pro' ? ['news'] : [] }}" },
        });
      const failed = await setup.run(parameters('={{ $json.firstName }}'), ROWS);
      expect(contact(ada)?.subscriptionGroups).toEqual({ news: true });
      const { url, apiKey } = setup.sandbox;
      await new AudienceClient({ baseUrl: url, apiKey }).contacts.update(ada, {
        subscriptionGroups: { news: false },
      });
      expect((await retry(setup, failed, parameters(TRIMMED))).outcome.status).toBe('success');
      expect(contact(ada)).toMatchObject({ firstName: 'Pro', subscriptionGroups: { news: false } });
    });

    test('where the correction makes one content of two, which goes out once', async () => {
      const once = (firstName: string) => upsert(firstName, { options: { ...OPTIONS, sendOnce: 'content' } });
      const rows = ['Free', 'Pro', ['x']].map((firstName, index) => ({
        email: index < 2 ? ada : bo,
        firstName,
      }));
      const failed = await setup.run(once('={{ $json.firstName }}'), rows);
      expect(contact(ada)?.firstName).toBe('Pro');
      expect((await retry(setup, failed, once('=Free'))).outcome.status).toBe('success');
      expect(contact(ada)?.firstName).toBe('Free');
    });

    test('also where a row has given the contact its User ID, and the others name it by one of the two', async () => {
      const rows = [
        { email: ada, userId: 'u-1', firstName: 'Ada' },
        { email: '', userId: 'u-1', firstName: ' Free' },
        { email: ada, userId: '', firstName: 'Pro' },
        { email: bo, userId: '', firstName: ['Free'] },
      ];
      const parameters = (firstName: string) => upsert(firstName, { userId: '={{ $json.userId }}' });
      const failed = await setup.run(parameters('={{ $json.firstName }}'), rows);
      expect(contact(ada)).toMatchObject({ userId: 'u-1', firstName: 'Pro' });

      expect((await retry(setup, failed, parameters(TRIMMED))).outcome.status).toBe('success');
      expect(contact(ada)).toMatchObject({ userId: 'u-1', firstName: 'Pro' });
    });

    test('and not on somebody else, whose email address is the User ID', async () => {
      const rows = [
        { email: ada, userId: bo, firstName: ' Free' },
        { email: ada, userId: bo, firstName: 'Pro' },
        { email: 'cy@example.com', userId: 'cy', firstName: ['Free'] },
      ];
      const parameters = (firstName: string) => upsert(firstName, { userId: '={{ $json.userId }}' });
      const failed = await setup.run(parameters('={{ $json.firstName }}'), rows);
      const before = contact(bo)?.firstName;
      expect((await retry(setup, failed, parameters(TRIMMED))).outcome.status).toBe('success');
      expect([contact(ada)?.firstName, contact(bo)?.firstName]).toEqual(['Pro', before]);
    });

    test('a new run sets nothing again', async () => {
      const once = upsert('={{ $json.firstName }}', { options: { ...OPTIONS, sendOnce: 'content' } });
      await setup.run(once, [{ email: ada, firstName: 'Old' }]);
      await setup.run(
        once,
        ['New', 'Old'].map((firstName) => ({ email: ada, firstName })),
      );
      expect(contact(ada)?.firstName).toBe('New');
    });

    test('nor does it bring back whom the newer one has taken out of a group', async () => {
      const parameters = (firstName: string) =>
        upsert(firstName, {
          additionalFields: {
            subscribeTo: "={{ $json.joins ? ['news'] : [] }}",
            unsubscribeFrom: "={{ $json.joins ? [] : ['news'] }}",
          },
        });
      const rows = ROWS.map((row, index) => ({ ...row, joins: index === 0 }));
      const failed = await setup.run(parameters('={{ $json.firstName }}'), rows);
      expect((await retry(setup, failed, parameters(TRIMMED))).outcome.status).toBe('success');
      expect(contact(ada)?.subscriptionGroups).toEqual({ news: false });
    });
  });

  describe('Contact > Update', () => {
    const ROWS = [
      { email: ada, firstName: 'Ada' },
      { email: bo, firstName: 'Bo' },
    ];

    test('a Retry does not do again what was carried out: people may have changed it', async () => {
      setup.sandbox.faults.next({ route: 'updateContact', latencyMs: 1 });
      setup.sandbox.faults.next({ route: 'updateContact', status: 422 });
      const parameters = update('={{ $json.firstName }}', { additionalFields: { subscribeTo: ['news'] } });
      const failed = await setup.run(parameters, ROWS);
      expect(contact(ada)?.subscriptionGroups).toEqual({ news: true });
      setup.sandbox.load({ ...setup.sandbox.export(), contacts: [{ email: ada }, { email: bo }] });

      const { outcome, items, hints } = await retry(setup, failed);
      expect(outcome.status).toBe('success');
      expect(contact(ada)?.subscriptionGroups).toEqual({});
      expect(contact(bo)?.subscriptionGroups).toEqual({ news: true });
      expect(items.map(({ json }) => json['contact'])).toEqual([ada, bo]);
      expect(hints[0]).toBe(
        '1 of 2 items was carried out before, by an earlier try of this run, and not again.',
      );
    });

    test('in another account everything is carried out', async () => {
      const other = await startSandbox({ seed: { contacts: [{ email: ada }, { email: bo }] } });
      try {
        setup.sandbox.faults.next({ route: 'updateContact', latencyMs: 1 });
        setup.sandbox.faults.next({ route: 'updateContact', status: 401 });
        const failed = await setup.run(update('={{ $json.firstName }}'), ROWS);
        const credentials = { audienceApi: { baseUrl: other.url, apiKey: other.apiKey } };
        const outcome = await setup.n8n.retry(failed.workflow, failed.outcome, { credentials });
        expect(outcome.status).toBe('success');
        expect(other.contacts().map(({ firstName }) => firstName)).toEqual(['Ada', 'Bo']);
      } finally {
        await other.close();
      }
    });

    test('nor does Retry On Fail; a new run does', async () => {
      setup.sandbox.faults.next({ route: 'updateContact', latencyMs: 1 });
      setup.sandbox.faults.next({ route: 'updateContact', status: 422 });
      const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
      const parameters = update('={{ $json.firstName }}');
      expect((await setup.run(parameters, ROWS, { settings })).outcome.status).toBe('success');
      expect(writes(setup.sandbox)).toHaveLength(3);
      await setup.run(parameters, ROWS, { settings });
      expect(writes(setup.sandbox)).toHaveLength(5);
    });

    test('a later row of a contact waits for one that is unclear', async () => {
      setup.sandbox.faults.next({ route: 'updateContact', status: 503 });
      const rows = ['Free', 'Pro'].map((firstName) => ({ email: ada, firstName }));
      const failed = await setup.run(update('={{ $json.firstName }}'), rows);
      expect(writes(setup.sandbox)).toHaveLength(1);

      expect((await retry(setup, failed)).outcome.status).toBe('success');
      expect(contact(ada)?.firstName).toBe('Pro');
    });
  });

  describe('what an attack from outside found', () => {
    const retried = upsert('X', { options: { ...OPTIONS, retries: 1 } });
    const person = { firstName: 'Person', subscriptionGroups: { news: false } };
    const joins = { additionalFields: { subscribeTo: ['news'] } };
    const byPerson = (fields = person): Promise<unknown> =>
      new AudienceClient({ baseUrl: setup.sandbox.url, apiKey: setup.sandbox.apiKey }).contacts.update(
        ada,
        fields,
      );

    test('an upsert whose answer got lost is not set again over what people did', async () => {
      setup.sandbox.faults.next({ route: 'sendEvent', cut: true, when: 'after' });
      const failed = await setup.run(upsert('X', joins), [{ email: ada }]);
      expect(contact(ada)).toMatchObject({ firstName: 'X', subscriptionGroups: { news: true } });
      await byPerson();
      const { outcome } = await retry(setup, failed);
      expect(outcome.status).toBe('success');
      expect(contact(ada)).toMatchObject(person);
    });

    test('an older item is not done again because a newer one is refused in the check', async () => {
      const parameters = update('', {
        fields: { mappingMode: 'autoMapInputData', value: null },
        additionalFields: {
          subscribeTo: "={{ $json.firstName === 'Free' ? ['news'] : [] }}",
          unsubscribeFrom: "={{ $json.firstName === 'Pro' ? ['news'] : [] }}",
        },
      });
      setup.sandbox.load({
        ...{ properties: [{ name: 'teamSize', type: 'number' }], contacts: [{ email: ada }] },
        subscriptionGroups: [{ id: 'news', name: 'News' }],
      });
      const rows = [
        { email: ada, firstName: 'Free' },
        { email: ada, firstName: 'Pro', teamSize: 3 },
        { email: 'nobody@example.com', firstName: 'X' },
      ];
      const failed = await setup.run(parameters, rows);
      expect(contact(ada)).toMatchObject({ firstName: 'Pro', subscriptionGroups: { news: false } });
      setup.sandbox.faults.next({ route: 'listContactProperties', status: 503, times: 10 });
      expect((await retry(setup, failed)).outcome.status).toBe('error');
      setup.sandbox.faults.clear();
      expect(contact(ada)).toMatchObject({ firstName: 'Pro', subscriptionGroups: { news: false } });
    });

    test.each([
      ['an email', 'sendTransactionalEmail', emailParameters({ retries: 0 }), {}],
      ['an event', 'sendEvent', upsert('X'), {}],
      ['one that is tried again and refused', 'sendEvent', retried, { status: 503 }],
      ['one that is tried again and cut off', 'sendEvent', retried, { cut: true }],
    ] as const)(
      '%s that outlasts its time-out and fails then is not called sent by a Retry, and goes out in a later one',
      async (_what, route, parameters, then) => {
        if (route === 'sendTransactionalEmail') setup.sandbox.load(DEFAULT_SEED);
        const rows = people(1);
        const received = (): number => setup.sandbox.emails().length + setup.sandbox.events().length;
        setup.sandbox.faults.next({ route, latencyMs: 3_000, status: 500 });
        if (parameters === retried) setup.sandbox.faults.next({ route, ...then });
        const first = await setup.run(parameters, rows);
        expect(first.error?.message).toContain('It is not clear whether');
        const second = await retry(setup, first);
        expect(second.outcome.status).toBe('error');
        expect(second.error?.message).toContain('an earlier request ended without an answer');
        expect(second.error?.description).toContain('an hour after that finds out');
        expect(received()).toBe(0);
        await until('the request has failed', () =>
          setup.sandbox.requests({ status: 500 }).length > 0 ? true : undefined,
        );
        const third = await retry(setup, { ...first, ...second });
        expect(third.outcome.status).toBe('success');
        expect(received()).toBe(1);
      },
    );

    test.each([
      ['updateContact', update('X')],
      ['sendEvent', upsert('X')],
      ['sendTransactionalEmail', emailParameters({ retries: 0 })],
    ] as const)(
      '%s: a refusal after a lost answer is not told as if nothing had gone out',
      async (route, parameters) => {
        if (route === 'sendTransactionalEmail') setup.sandbox.load(DEFAULT_SEED);
        setup.sandbox.faults.next({ route, cut: true, when: 'after' });
        const first = await setup.run(parameters, [{ email: ada, firstName: 'Ada' }]);
        setup.sandbox.faults.next({ route, status: 422 });
        const { error } = await retry(setup, first);
        expect(error?.message).toMatch(/^It is not clear whether an earlier try has carried it out; now: /);
        expect(error?.message).toContain('422');
      },
    );

    const rowsOf = (...names: unknown[]): IDataObject[] => [
      ...names.map((firstName) => ({ email: ada, firstName: String(firstName) })),
      { email: bo, firstName: ['x'] },
    ];
    const joining = (firstName: string, options: INodeParameters): INodeParameters =>
      upsert(firstName, { ...joins, options: { ...OPTIONS, retries: 2, ...options } });

    test('what another run has sent is not set by a Retry, over what people did', async () => {
      const parameters = joining('={{ $json.firstName }}', { sendOnce: 'content' });
      await setup.run(parameters, [{ email: ada, firstName: 'Ada' }]);
      const failed = await setup.run(parameters, rowsOf('A', 'Ada'));
      expect(failed.outcome.status).toBe('error');
      await byPerson();
      await retry(setup, failed, joining(TRIMMED, { sendOnce: 'content' }));
      expect(contact(ada)).toMatchObject(person);
    });

    test('nor what an attempt of the same call has carried out whose answer got lost', async () => {
      for (const options of [{ sendOnce: 'content' }, { idempotencyKey: '=k-{{ $json.firstName }}' }]) {
        setup.sandbox.reset();
        setup.sandbox.load({
          subscriptionGroups: [{ id: 'news', name: 'News' }],
          contacts: [{ email: ada }],
        });
        setup.sandbox.faults.next({ route: 'sendEvent', latencyMs: 1 });
        setup.sandbox.faults.next({ route: 'sendEvent', cut: true, when: 'after' });
        const failed = await setup.run(joining('={{ $json.firstName }}', options), rowsOf('A', 'Ada'));
        expect(contact(ada)?.firstName).toBe('Ada');
        await byPerson();
        await retry(setup, failed);
        expect(contact(ada)).toMatchObject(person);
      }
    });

    test('a newer item wins over an older one that is corrected and whose answer gets lost', async () => {
      const failed = await setup.run(joining('={{ $json.firstName }}', {}), rowsOf(' Free', 'Pro'));
      setup.sandbox.faults.next({ route: 'sendEvent', cut: true, when: 'after' });
      const { outcome, hints } = await retry(setup, failed, joining(TRIMMED, {}));
      expect(outcome.status).toBe('success');
      expect(contact(ada)?.firstName).toBe('Pro');
      expect(hints.join()).toContain('1 of 3 items was sent before');
    });

    test('what may still be carried out of an item that was corrected since is told', async () => {
      setup.sandbox.faults.next({ route: 'sendEvent', latencyMs: 3_000 });
      const failed = await setup.run(upsert('Old'), [{ email: ada }]);
      expect(failed.error?.message).toContain('It is not clear whether');
      const { outcome, hints } = await retry(setup, failed, upsert('New'));
      expect(outcome.status).toBe('success');
      expect(hints.join()).toContain('the service may still carry it out');
    });

    test('what Retry On Fail does not find out of an update is told as unclear', async () => {
      const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
      setup.sandbox.faults.next({ route: 'updateContact', cut: true, when: 'after' });
      setup.sandbox.faults.next({ route: 'updateContact', status: 422 });
      const { error } = await setup.run(update('={{ "At " + Math.random() }}'), [{ email: ada }], {
        settings,
      });
      expect(contact(ada)?.firstName).toMatch(/^At/);
      expect(error?.message).toContain('It is not clear whether');
    });

    test('with an own key it is told where an earlier content may be what went out', async () => {
      const options = { ...OPTIONS, idempotencyKey: 'order-1', retries: 1 };
      await setup.run(upsert('Old', { options }), [{ email: ada }]);
      setup.sandbox.faults.next({ route: 'sendEvent', status: 503 });
      const { hints } = await setup.run(upsert('New', { options }), [{ email: ada }]);
      expect(contact(ada)?.firstName).toBe('Old');
      expect(hints.join()).toMatch(
        /may have been sent before.*look up which one was sent before you give it another key/,
      );
    });

    const loadWithUserIds = (): void =>
      setup.sandbox.load({
        subscriptionGroups: [{ id: 'news', name: 'News' }],
        contacts: [
          { email: ada, userId: 'of-ada' },
          { email: bo, userId: 'of-bo' },
        ],
      });
    const byEither = (firstName: string): INodeParameters =>
      upsert(firstName, {
        userId: '={{ $json.userId }}',
        additionalFields: { subscribeTo: '={{ $json.groups }}' },
      });
    const either = (
      email: string,
      userId: string,
      firstName: string | string[],
      groups: string[] = [],
    ): IDataObject => ({ email, userId, firstName, groups });

    test('a row that is refused makes one contact of nobody', async () => {
      loadWithUserIds();
      const rows = [
        either('', 'of-bo', ['Bo']),
        either(ada, 'of-ada', 'Ada', ['news']),
        either(ada, 'of-bo', 'A slip'),
      ];
      const failed = await setup.run(byEither('={{ $json.firstName }}'), rows);
      expect(contact(ada)).toMatchObject({ firstName: 'Ada', subscriptionGroups: { news: true } });
      await byPerson();
      await retry(setup, failed, byEither(TRIMMED));
      expect(contact(ada)).toMatchObject(person);
    });

    test('what is set again is set on the contact of the User ID, whose address may be another by now', async () => {
      loadWithUserIds();
      const rows = [
        either('', 'of-ada', ' Free', ['news']),
        either(ada, 'of-ada', 'Mid'),
        either(ada, '', 'Pro', ['news']),
        either('cy@example.com', '', ['x']),
      ];
      const failed = await setup.run(byEither('={{ $json.firstName }}'), rows);
      const service = new AudienceClient({ baseUrl: setup.sandbox.url, apiKey: setup.sandbox.apiKey });
      await service.contacts.update('of-ada', { email: 'ada@new.example' });
      await service.contacts.update('of-bo', { email: ada, subscriptionGroups: { news: false } });
      const before = writes(setup.sandbox).length;
      await retry(setup, failed, byEither(TRIMMED));
      const set = writes(setup.sandbox).slice(before);
      expect(set.filter(({ method }) => method === 'PUT').map(({ path }) => path)).toEqual([
        '/v1/contacts/of-ada',
      ]);
    });

    test('an error tells what the service may still carry out of an item that was corrected', async () => {
      setup.sandbox.faults.next({ route: 'sendEvent', latencyMs: 3_000 });
      const rows = [{ email: ada }, { email: bo }];
      const failed = await setup.run(upsert('Old'), rows);
      setup.sandbox.faults.next({ route: 'sendEvent', status: 422 });
      const { error } = await retry(setup, failed, upsert('New'));
      expect(error?.description).toContain('the service may still carry it out');
    });

    test('Retry On Fail of an update tells what it is refused for now, too', async () => {
      const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
      setup.sandbox.faults.next({ route: 'updateContact', cut: true });
      setup.sandbox.faults.next({ route: 'updateContact', status: 404 });
      const { error } = await setup.run(update('X'), [{ email: ada }], { settings });
      expect(error?.message).toMatch(/^It is not clear whether an earlier try .*404/);
    });

    test('names that every JavaScript object has are columns and properties like others', async () => {
      setup.sandbox.load({
        properties: [{ name: 'constructor', type: 'string' }],
        contacts: [{ email: ada, properties: { constructor: 'one' } }],
      });
      const mapped = upsert('', { contactFields: { mappingMode: 'autoMapInputData', value: null } });
      const { outcome } = await setup.run(mapped, [
        { email: ada, firstName: 'Ada', valueOf: 1, toString: 'x' },
      ]);
      expect(outcome.status).toBe('success');
      const cleared = update('Ada', { additionalFields: { clear: ['constructor'] } });
      expect((await setup.run(cleared, [{ email: ada }])).outcome.status).toBe('success');
      expect(contact(ada)?.properties).toEqual({});
      expect(writes(setup.sandbox)).toHaveLength(2);
    });

    test('what an own key has sent before sets nothing, and nothing is set again for it', async () => {
      const options = { ...OPTIONS, idempotencyKey: '=k-{{ $json.k }}' };
      const rows = [
        { email: ada, firstName: ' Free', k: 0 },
        { email: ada, firstName: 'Pro', k: 1 },
        { email: bo, firstName: ['x'], k: 2 },
      ];
      const failed = await setup.run(upsert('={{ $json.firstName }}', { options }), rows);
      await byPerson({ ...person, subscriptionGroups: { news: true } });
      await retry(setup, failed, upsert(TRIMMED, { options }));
      expect(contact(ada)?.firstName).toBe('Person');
    });
  });

  describe('what a third attack from outside found', () => {
    const ROWS: IDataObject[] = [
      { email: ada, firstName: ' Free' },
      { email: ada, firstName: 'Pro' },
      { email: bo, firstName: ['Free'] },
    ];
    const service = (): AudienceClient =>
      new AudienceClient({ baseUrl: setup.sandbox.url, apiKey: setup.sandbox.apiKey });
    const puts = () => writes(setup.sandbox).filter(({ method }) => method === 'PUT');
    const byUserId = (firstName: string, lastName: string): INodeParameters =>
      upsert('', { userId: '={{ $json.userId }}', contactFields: mapped({ firstName, lastName }) });
    const IF_LISTED = '={{ Array.isArray($json.lastName) ? "L" : undefined }}';

    test('nobody is added to a group again', async () => {
      const joins = { additionalFields: { subscribeTo: ['news'] } };
      const failed = await setup.run(upsert('={{ $json.firstName }}', joins), ROWS);
      setup.sandbox.faults.next({ route: 'updateContact', status: 503 });
      const once = await retry(setup, failed, upsert(TRIMMED, joins));
      await service().contacts.update(ada, { subscriptionGroups: { news: false } });
      const twice = await retry(setup, { ...failed, outcome: once.outcome }, upsert(TRIMMED, joins));
      expect(twice.outcome.status).toBe('success');
      expect(contact(ada)).toMatchObject({ firstName: 'Pro', subscriptionGroups: { news: false } });
    });

    test("nor is somebody else changed whose User ID a refused row gives with a contact's email", async () => {
      setup.sandbox.load({ contacts: [{ email: ada }, { email: bo, userId: 'of-bo', firstName: 'Bo' }] });
      const rows = [
        { email: ada, userId: '', firstName: ' Free' },
        { email: ada, userId: '', firstName: 'Pro' },
        { email: ada, userId: 'of-bo', firstName: '', lastName: ['L'] },
      ];
      const failed = await setup.run(byUserId('={{ $json.firstName }}', '={{ $json.lastName }}'), rows);
      await retry(setup, failed, byUserId('={{ $json.firstName.trim() }}', '={{ $json.lastName }}'));
      expect(contact(bo)?.firstName).toBe('Bo');
      expect(contact(ada)?.firstName).toBe('Pro');
    });

    test('what is set again finds a contact that gets its User ID by a later row', async () => {
      const rows = [
        { email: ada, userId: '', firstName: ' Free' },
        { email: ada, userId: '', firstName: 'Pro' },
        { email: ada, userId: 'u-new', firstName: '', lastName: ['L'] },
      ];
      const failed = await setup.run(byUserId('={{ $json.firstName }}', '={{ $json.lastName }}'), rows);
      const { outcome } = await retry(setup, failed, byUserId('={{ $json.firstName.trim() }}', IF_LISTED));
      expect(outcome.status).toBe('success');
      expect(contact(ada)).toMatchObject({ firstName: 'Pro', userId: 'u-new' });
    });

    test('what cannot be set again is told where another item fails, too', async () => {
      const failed = await setup.run(upsert('={{ $json.firstName }}'), ROWS);
      setup.sandbox.faults.next({ route: 'updateContact', status: 404 });
      const kept = '={{ Array.isArray($json.firstName) ? $json.firstName : $json.firstName.trim() }}';
      const { error } = await retry(setup, failed, upsert(kept));
      expect(error?.description).toContain("'First Name' may have the value of an older item");
    });

    test('and where Retry On Fail then runs the node again', async () => {
      const failed = await setup.run(upsert('={{ $json.firstName }}'), [
        ...ROWS.slice(2),
        ...ROWS.slice(0, 2),
      ]);
      setup.sandbox.faults.next({ route: 'updateContact', status: 503 });
      setup.sandbox.faults.next({ route: 'sendEvent', status: 503 });
      const [node] = failed.workflow.nodes.filter(({ name }) => name === NODE);
      const again = { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
      Object.assign(node ?? {}, { parameters: upsert(TRIMMED), ...again });
      const { hints } = await retry(setup, failed);
      expect(hints.join()).toContain("'First Name' may have the value of an older item");
    });

    test('what the service refuses to set again is told, and is no failure of what was sent', async () => {
      const failed = await setup.run(upsert('={{ $json.firstName }}'), ROWS);
      setup.sandbox.faults.next({ route: 'updateContact', status: 422 });
      const { outcome, hints } = await retry(setup, failed, upsert(TRIMMED));
      expect(outcome.status).toBe('success');
      expect(hints.join()).toContain("'First Name' may have the value of an older item");
    });

    test('the newer item wins also where one execution is retried twice', async () => {
      const failed = await setup.run(upsert('={{ $json.firstName }}'), ROWS);
      setup.sandbox.faults.next({ route: 'updateContact', status: 503 });
      await retry(setup, failed, upsert(TRIMMED));
      expect((await retry(setup, failed, upsert(TRIMMED))).outcome.status).toBe('success');
      expect(contact(ada)?.firstName).toBe('Pro');
      expect(puts()).toHaveLength(2);
    });

    test.each([
      ['a second Retry of one execution', {}],
      ['a new run', { sendOnce: 'content' }],
    ] as const)('a time-out is known to %s', async (which, more) => {
      const parameters = upsert('X', { options: { ...OPTIONS, ...more } });
      setup.sandbox.faults.next({ route: 'sendEvent', status: 422 });
      const failed = await setup.run(parameters, [{ email: ada }]);
      setup.sandbox.faults.next({ route: 'sendEvent', latencyMs: 3_000, status: 500 });
      await retry(setup, failed);
      const says = 'an earlier request ended without an answer';
      const again =
        which === 'a new run'
          ? await setup.run(parameters, [{ email: ada }])
          : { ...failed, ...(await retry(setup, failed)) };
      expect(again.error?.message).toContain(says);
      expect((await retry(setup, again)).error?.message).toContain(says);
    });

    test('a time-out is told by the last try of Retry On Fail, too', async () => {
      const parameters = upsert('X', { options: { ...OPTIONS, sendOnce: 'content' } });
      setup.sandbox.faults.next({ route: 'sendEvent', latencyMs: 3_000, status: 500 });
      await setup.run(parameters, [{ email: ada }]);
      const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
      const { error } = await setup.run(parameters, [{ email: ada }], { settings });
      expect(error?.message).toContain('an earlier request ended without an answer');
    });

    test('what another account has carried out ends no doubt in this one', async () => {
      const other = await startSandbox();
      try {
        const parameters = upsert('X', { options: { ...OPTIONS, idempotencyKey: 'k-1' } });
        const rows = [{ email: ada }];
        const elsewhere = { audienceApi: { baseUrl: other.url, apiKey: other.apiKey } };
        setup.sandbox.faults.next({ route: 'sendEvent', latencyMs: 3_000, status: 500 });
        await setup.run(parameters, rows);
        expect((await setup.run(parameters, rows, { credentials: elsewhere })).outcome.status).toBe(
          'success',
        );
        const { error } = await setup.run(parameters, rows);
        expect(error?.message).toContain('an earlier request ended without an answer');
      } finally {
        await other.close();
      }
    });

    test('what may still go out is told of a run of one item, too', async () => {
      setup.sandbox.faults.next({ route: 'sendEvent', latencyMs: 3_000 });
      const failed = await setup.run(upsert('Old'), [{ email: ada }]);
      setup.sandbox.faults.next({ route: 'sendEvent', status: 422 });
      const { error } = await retry(setup, failed, upsert('New'));
      expect(error?.description).toContain('the service may still carry it out');
    });

    test('a warning of one try is told also where the next one ends in its check', async () => {
      const { faults } = setup.sandbox;
      const options = { ...OPTIONS, onFailedItem: 'stop' };
      const more = {
        options,
        additionalFields: { subscribeTo: "={{ $json.email.startsWith('bo') ? ['news'] : [] }}" },
      };
      const rows = [...ROWS.slice(0, 2), { email: bo, firstName: 'Bo' }];
      const bosFails = (): void => {
        faults.next({ route: 'sendEvent', latencyMs: 1, times: 2 });
        faults.next({ route: 'sendEvent', status: 422 });
      };
      setup.sandbox.setProfile({ duplicates: 'replay' });
      try {
        bosFails();
        const failed = await setup.run(upsert('={{ $json.firstName }}', more), rows);
        bosFails();
        faults.next({ route: 'updateContact', status: 404 });
        faults.next({ route: 'listSubscriptionGroups', latencyMs: 1 });
        faults.next({ route: 'listSubscriptionGroups', status: 500 });
        const [node] = failed.workflow.nodes.filter(({ name }) => name === NODE);
        const again = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
        Object.assign(node ?? {}, { parameters: upsert(TRIMMED, more), ...again });
        const { error } = await retry(setup, failed);
        expect(error?.message).toContain('Could not list subscription groups');
        expect(error?.description).toContain("'First Name' may have the value of an older item");
      } finally {
        setup.sandbox.setProfile({ duplicates });
      }
    });

    test('a hint says of no new run that it has tried before', async () => {
      const parameters = upsert('={{ $json.firstName }}', {
        options: { ...OPTIONS, sendOnce: '={{ $json.once }}' },
      });
      const once = { email: ada, firstName: 'Ada', once: 'content' };
      await setup.run(parameters, [once]);
      const { hints } = await setup.run(parameters, [once, { email: bo, firstName: 'Bo', once: 'run' }]);
      expect(hints.join()).not.toContain('an earlier try');
      if (duplicates === 'refuse')
        expect(hints.join()).toContain('1 of 2 items was sent before, in the last 24 hours');
    });
  });

  test('that nothing was sent is said of this try only, where an earlier one may have', async () => {
    setup.sandbox.faults.next({ route: 'sendEvent', cut: true, when: 'after' });
    const rows = [{ email: ada, firstName: 'Ada' }];
    const failed = await setup.run(upsert('={{ $json.firstName }}'), rows);
    const { error } = await retry(
      setup,
      failed,
      upsert('={{ $json.firstName }}', { email: '={{ $json.mail }}' }),
    );
    expect(error?.description).toContain('Nothing was sent for this item in this try.');
  });
});
