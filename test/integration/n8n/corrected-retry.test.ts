import { AudienceClient } from 'audience-core';
import { startSandbox } from 'audience-sandbox';
import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { faultsOf, onBothServices, setFaults } from './model.js';
import { locator, mapped, NODE, nodeOutcome, oneNode, writes } from './support.js';
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
  corrections: fc.array(fc.constantFrom(...Object.keys(CORRECTIONS)), { minLength: 1, maxLength: 3 }),
  concurrency: fc.constantFrom(1, 10),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

async function runAndCheck(setup: Setup, given: Scenario): Promise<void> {
  const { operation, faults, concurrency, corrections } = given;
  // The last one is refused in any case: so there is something to correct.
  const rows = [...given.rows, { email: bo, firstName: ['Max'] }];
  setup.sandbox.load({ contacts: [{ email: ada }, { email: bo }] });
  for (const route of ['sendEvent', 'updateContact'] as const) setFaults(setup.sandbox, route, faults);
  const parameters = (firstName: string) =>
    (operation === 'upsert' ? upsert : update)(firstName, {
      options: { ...OPTIONS, concurrency },
    });
  const run = await setup.run(parameters('={{ $json.firstName }}'), rows, { mode: 'trigger' });
  let { outcome } = run;
  let correction = '';
  for (let tries = 0; tries < 8 && outcome.status === 'error'; tries += 1) {
    correction = corrections[Math.min(tries, corrections.length - 1)] ?? '';
    ({ outcome } = await retry(setup, { ...run, outcome }, parameters(correction)));
  }
  if (outcome.status === 'error') return;
  for (const { email, firstName } of rows) {
    const last = rows.filter((row) => row.email === email).at(-1) ?? { firstName };
    const has = setup.sandbox.contacts().find((one) => one.email === email)?.firstName;
    const value = CORRECTIONS[correction]?.([last.firstName].flat().join('').trim());
    expect([email, has]).toEqual([email, value]);
  }
}

onBothServices(15, ({ setup, holds }) => {
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
        'firstName may have values of an older item, as they could not be set again',
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
