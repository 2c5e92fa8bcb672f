import type { Crash, ExecuteOptions, ExecutionOutcome, WorkflowFile } from '../../hosts/n8n-engine/index.js';
import { fastClockForTests } from './clocks.js';
import {
  bodyOf,
  emailParameters,
  locator,
  mapped,
  NODE,
  nodeOutcome,
  oneNode,
  ours,
  people,
  setUpForFile,
  to,
  writes,
  type NodeRun,
  type RunOptions,
} from './support.js';

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const DAY = 24 * 60 * 60 * 1000;
const THREE = people(3);
const ADA = { email: 'ada@example.com', firstName: 'Ada' };
const route = 'sendTransactionalEmail';

/** As a sub-workflow is run. */
const SUB = { mode: 'integrated', parentExecutionId: '7' } as const;

/** Does something at a later time. */
async function after<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + milliseconds);
  return await work().finally(() => {
    clock.mockRestore();
  });
}

const retried = (workflow: WorkflowFile, outcome: ExecutionOutcome) => ({
  ...nodeOutcome(outcome),
  status: outcome.status,
  outcome,
  workflow,
});

/** A service of a kind, and what the tests do with it. */
function stageFor(duplicates: 'refuse' | 'replay') {
  fastClockForTests(20);
  const setup = setUpForFile({ profile: { duplicates } });
  return {
    setup,
    recipients: async () => (await setup.sandbox.emails()).map(({ to: recipient }) => recipient).sort(),
    /** Runs three emails. The service refuses the second one. */
    failOnOne: async (options: RunOptions = { mode: 'trigger' }): Promise<NodeRun> => {
      setup.sandbox.faults.next({ route, delayMs: 1 });
      setup.sandbox.faults.next({ route, respond: { status: 422 } });
      return await setup.run(emailParameters({ concurrency: 1 }), THREE, options);
    },
    /** Retries an execution that failed, with its own workflow or a corrected one. */
    retry: async ({ workflow, outcome }: Pick<NodeRun, 'workflow' | 'outcome'>, corrected = workflow) => {
      const { credentials } = setup;
      return retried(workflow, await setup.n8n.retry(corrected, outcome, { credentials }));
    },
    /** Retries an execution that n8n did not see the end of. */
    retryCrashed: async ({ workflow, outcome }: NodeRun, options: ExecuteOptions = {}, crash: Crash = {}) => {
      const all = { credentials: setup.credentials, ...options };
      return retried(workflow, await setup.n8n.retryCrashed(workflow, outcome, all, crash));
    },
  };
}

describe.each(['refuse', 'replay'] as const)(
  "a person's own key on a service that would %s a used one",
  (duplicates) => {
    const { setup, recipients } = stageFor(duplicates);

    test('the same key, recipient and design: sent once in any run; another design is another email', async () => {
      const parameters = emailParameters({ idempotencyKey: '=order-{{ $json.orderNo }}' });
      for (let run = 0; run < 2; run += 1) {
        const { items } = await setup.run(parameters, [{ ...ADA, orderNo: 1001 }]);
        expect(items[0]?.json).toMatchObject({ success: true });
      }
      expect(await recipients()).toEqual(['ada@example.com']);
      const receipt = emailParameters({ idempotencyKey: 'order-1001' }, { orderNumber: '1', total: 5 });
      await setup.run({ ...receipt, transactionalId: locator('id', 'design-receipt') }, [ADA]);
      expect(await recipients()).toHaveLength(2);
    });

    test('the same key with other content is a conflict, if the service compares contents', async () => {
      const parameters = emailParameters({ idempotencyKey: 'order-1001' });
      await setup.run(parameters, [ADA]);
      const { items, error } = await setup.run(parameters, [{ ...ADA, firstName: 'Countess' }]);
      if (duplicates === 'refuse') expect(items[0]?.json).toMatchObject({ deduplicated: true });
      else {
        expect(error?.context).toMatchObject({ status: 409, reason: 'conflict', unclear: true });
        // It would be refused again.
        expect(error?.description).toContain("If you set an 'Idempotency Key', write another one.");
        expect(error?.description).not.toContain('arrow');
      }
      expect(await recipients()).toEqual(['ada@example.com']);
    });
  },
);

describe('on a service that replays', () => {
  const { setup, recipients, failOnOne, retry, retryCrashed } = stageFor('replay');

  describe('a Retry for which n8n kept no record of the node', () => {
    test('an earlier node failed: all goes out, and a refusal is not told as "not sent"', async () => {
      const first = await setup.run(emailParameters(), THREE, { mode: 'trigger' });
      setup.sandbox.reset();
      setup.sandbox.faults.next({ route, respond: { status: 422 } });
      const failed = await retryCrashed(first);
      expect(failed.error?.context).toMatchObject({ reason: 'refused', unclear: true });
      expect(failed.error?.description).toContain(
        'n8n kept no record of this node: if it ran before, the item may',
      );
      expect((await retry(failed)).status).toBe('success');
      expect(await recipients()).toEqual(THREE.map(({ email }) => email));
    });

    test.each([
      ['the designs cannot be read', 2 * 61_000, 'serviceFailed'],
      ['its key may be forgotten', DAY, 'input'],
    ])('an item that fails in the check may have been sent: %s', async (_what, later, reason) => {
      const options = { settings: { onError: 'continueErrorOutput' }, mode: 'trigger' } as const;
      const first = await setup.run(emailParameters(), THREE.slice(0, 2), options);
      const down = { route: 'listTransactionalEmails', respond: { status: 503 }, times: 100 } as const;
      if (reason !== 'input') setup.sandbox.faults.next(down);
      const { branches } = await after(later, () => retryCrashed(first));
      const details = (branches[1] ?? []).map(({ json }) => json['details']);
      expect(details).toMatchObject([0, 1].map((itemIndex) => ({ itemIndex, reason, unclear: true })));
      expect(writes(setup.sandbox)).toHaveLength(2);
    });

    test.each([
      ['a sub-workflow', SUB, '', 'the workflow that called it'],
      [
        'a sub-workflow with saved progress',
        { ...SUB, savesProgress: true },
        'Trigger',
        'the workflow that called it',
      ],
      ['a run that was not stored', { mode: 'manual', isStored: false } as const, '', 'the workflow'],
    ])('%s crashed: nothing is sent, also in a Retry of the Retry', async (_what, options, saved, begins) => {
      const first = await setup.run(emailParameters({ idempotencyKey: 'may' }), THREE, options);
      const crashed = await retryCrashed(first, options, { saved });
      const again = await retry(crashed);
      for (const { error } of [crashed, again]) {
        expect(error?.context).toMatchObject({ code: 'lost-run', unclear: true });
        expect(error?.description).toContain(`start ${begins} with the missing items only.`);
        expect(error?.description).not.toContain('arrow');
      }
      expect(writes(setup.sandbox)).toHaveLength(3);
      // A read and an update send nothing twice; what they note does not stand for the run.
      const contact = locator('email', 'ada@example.com');
      const get = oneNode({ resource: 'contact', operation: 'get', contact });
      expect((await retry(again, get)).status).toBe('success');
    });

    test('a sub-workflow that failed: its own Retry sends what is missing, and the message says which Retry', async () => {
      const failed = await failOnOne(SUB);
      expect(failed.error?.description).toContain('Retry the execution of the sub-workflow itself');
      expect(failed.error?.description).toContain('workflow that called it sends everything again.');
      expect(failed.error?.description).not.toContain('only the missing');
      expect((await retry(failed)).status).toBe('success');
      expect(await recipients()).toEqual(THREE.map(({ email }) => email));
    });

    test.each([
      [409, true],
      [422, false],
    ])('in a Retry, %i may be of an item that was sent: %s', async (status, unclear) => {
      setup.sandbox.faults.next({ route, respond: { status: 422 } });
      const first = await setup.run(emailParameters({ concurrency: 1 }), THREE, { mode: 'trigger' });
      setup.sandbox.faults.next({ route, respond: { status } });
      const { error } = await retry(first);
      expect(error?.context).toMatchObject({ status, unclear });
      expect(await recipients()).toEqual([]);
    });

    test('a fresh key that meets a 409 at once sent nothing', async () => {
      setup.sandbox.faults.next({ route, respond: { status: 409 } });
      const { error } = await setup.run(emailParameters(), people(1), { mode: 'trigger' });
      expect(error?.context).toMatchObject({ status: 409, unclear: false });
    });
  });

  test('after a crash a Retry sends the missing items, with any run index', async () => {
    const first = await setup.run(emailParameters(), THREE.slice(0, 2), { mode: 'trigger' });
    const { status, outcome, hints } = await retryCrashed(first, {}, { ended: [NODE], changed: THREE });
    expect(status).toBe('success');
    expect(hints[0]).toContain('rows that have changed since then were sent again');
    expect(await recipients()).toEqual(THREE.map(({ email }) => email));
    // A Retry of that Retry, had it crashed, is about the same run of the node.
    const options = { credentials: setup.credentials, mode: 'retry' } as const;
    expect((await setup.n8n.takeOver(first.workflow, outcome, options)).status).toBe('success');
    expect(await recipients()).toHaveLength(3);
  });

  test.each([{}, { idempotencyKey: 'may' }])(
    'after a crash on Friday, a Retry on Monday sends nothing: %j',
    async (options) => {
      const first = await setup.run(emailParameters({ ...options }), THREE, { mode: 'trigger' });
      const { error } = await after(DAY, () => retryCrashed(first));
      expect(error?.context['code']).toBe('forgotten');
      expect(error?.description).not.toContain('arrow');
      expect(writes(setup.sandbox)).toHaveLength(3);
    },
  );

  test('a Retry on Monday sends what was never begun or refused, and refuses what may have been sent', async () => {
    const rows = people(5);
    setup.sandbox.faults.next({ route, delayMs: 1 });
    setup.sandbox.faults.next({ route, respond: { status: 422 } });
    const refused = await setup.run(emailParameters({ concurrency: 1 }), rows, { mode: 'trigger' });
    expect((await after(3 * DAY, () => retry(refused))).status).toBe('success');
    expect(await recipients()).toEqual(rows.map(({ email }) => email));

    setup.sandbox.faults.next({ route, cut: true, times: 100 });
    const open = await setup.run(emailParameters({ concurrency: 1 }), rows, { mode: 'trigger' });
    setup.sandbox.faults.clear();
    const { error } = await after(3 * DAY, () => retry(open));
    expect(error?.context).toMatchObject({ code: 'forgotten', itemIndex: 0 });
    expect(await recipients()).toHaveLength(5);
  });

  test.each([
    ['text', emailParameters({}, { firstName: 'Corrected', planName: 'Free' }), 'Corrected'],
    [
      'expression, though it fails for the finished item,',
      { ...emailParameters(), email: '={{ $itemIndex === 0 ? $json.none : $json.email }}' },
      undefined,
    ],
  ] as const)('a corrected %s is sent for the refused items only', async (_what, parameters, text) => {
    const failed = await failOnOne();
    const retried = await retry(failed, oneNode(parameters));
    expect(retried.status).toBe('success');
    expect(retried.items.map(({ json }) => json['success'])).toEqual([true, true, true]);
    expect(retried.hints).toEqual(['Nothing was sent for 1 of 3 items: they were carried out before.']);
    expect((await setup.sandbox.emails()).map((one) => [one.to, one.variables['firstName']])).toEqual(
      THREE.map(({ email, firstName }, index) => [email, index === 0 ? firstName : (text ?? firstName)]),
    );
    // The service may have kept the key of the request that it refused.
    expect(new Set(writes(setup.sandbox).map(({ key }) => key)).size).toBe(4);
  });

  test.each([
    ['a new run', { executionId: '1' }, 1],
    ['a sub-workflow, also if it begins in the same millisecond,', SUB, 0],
  ] as const)('%s sends everything', async (_what, options, later) => {
    const first = Date.now();
    for (let run = 0; run < 2; run += 1)
      await after(first - Date.now() + run * later, () => setup.run(emailParameters(), THREE, options));
    expect(await recipients()).toHaveLength(6);
  });

  test('two nodes, and two runs of one node, send separately', async () => {
    const file = oneNode(emailParameters());
    const workflow = {
      ...file,
      nodes: [...file.nodes, ours('Second', emailParameters())],
      connections: { Trigger: to(['Done', 'Failed', 'Second']), Done: to([NODE]), Failed: to([NODE]) },
    };
    const { n8n, credentials } = setup;
    const outcome = await n8n.execute(workflow, { credentials, inputItems: people(1) });
    expect(outcome.status).toBe('success');
    expect(await recipients()).toHaveLength(3);
  });

  test('Retry On Fail accepts a property that an earlier try created', async () => {
    setup.sandbox.faults.next({ route: 'createContactProperty', delayMs: 1 });
    setup.sandbox.faults.next({ route: 'createContactProperty', respond: { status: 422 } });
    const create = { resource: 'contactProperty', operation: 'create', name: '={{ $json.name }}' };
    const input = ['size', 'color', 'shape'].map((name) => ({ name }));
    const options = { concurrency: 1 };
    const run = await setup.run({ ...create, type: 'string', options }, input, { settings: RETRY_ON_FAIL });
    expect(run.error).toBeUndefined();
    expect(run.items.map(({ json }) => json['created'])).toEqual([true, true, true]);
  });

  test('a finished update is not repeated over later changes of others', async () => {
    const rows = [{ email: 'ada@example.com' }, { email: 'nobody@example.com' }];
    const contact = locator('email', '={{ $json.email }}');
    const update = { resource: 'contact', operation: 'update', contact, fields: mapped({ source: 'shop' }) };
    const failed = await setup.run({ ...update, options: { concurrency: 1 } }, rows, { mode: 'trigger' });
    expect(failed.error?.httpCode).toBe('404');
    const retried = await retry(failed);
    expect(retried.status).toBe('error');
    expect(setup.sandbox.requests({ route: 'updateContact' })).toHaveLength(3);
  });

  describe("the user's own key", () => {
    test('equal items with one key are sent once, also with the address in two spellings', async () => {
      const rows = [
        ...people(5),
        { ...ADA },
        { ...ADA, email: 'ADA@example.com' },
        { ...ADA, email: 'Ada@Example.com' },
      ];
      const keyed = emailParameters({ idempotencyKey: 'may-newsletter' });
      const { error, items, hints } = await setup.run(keyed, rows, { mode: 'trigger' });
      expect(error).toBeUndefined();
      expect(await recipients()).toHaveLength(6);
      expect(writes(setup.sandbox)).toHaveLength(6);
      expect(items.map(({ json }) => json['deduplicated'])).toEqual([
        ...people(6).map(() => undefined),
        true,
        true,
      ]);
      expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_row, index) => index));
      expect(hints).toEqual(['Nothing was sent for 2 of 8 items: they were carried out before.']);
    });

    test('equal items: if the first one fails, a Retry sends it once', async () => {
      const rows = [ADA, { ...ADA, email: 'ADA@example.com' }];
      const keyed = emailParameters({ idempotencyKey: 'may-newsletter' });
      setup.sandbox.faults.next({ route, respond: { status: 422 } });
      const failed = await setup.run(keyed, rows, { mode: 'trigger' });
      expect(failed.error?.httpCode).toBe('422');
      expect((await retry(failed)).status).toBe('success');
      expect(await recipients()).toEqual(['ada@example.com']);
      expect(writes(setup.sandbox)).toHaveLength(2);
    });

    test('the same key with two contents in one run: neither is sent', async () => {
      const rows = [{ ...ADA, email: 'bo@example.com' }, ADA, { ...ADA, firstName: 'Countess' }];
      const keyed = emailParameters({ idempotencyKey: 'receipt' });
      const { error } = await setup.run(keyed, rows);
      expect(error?.context['code']).toBe('one-key');
      expect(error?.description).toContain('2 failed (items 1, 2)');
      expect(writes(setup.sandbox)).toEqual([]);
      const settings = { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' } as const;
      const { items } = await setup.run(keyed, rows.slice(1), { settings });
      expect(items.map(({ json }) => 'error' in json)).toEqual([true, true]);
      expect(writes(setup.sandbox)).toEqual([]);
    });

    test('User IDs that differ in case, and different events, are separate', async () => {
      const event = (eventName: string, userId: string) => ({
        ...{ resource: 'event', operation: 'send', eventName, userId, options: { idempotencyKey: 1001 } },
      });
      for (const [name, id] of [
        ['purchased', 'aB1'],
        ['purchased', 'Ab1'],
        ['shipped', 'aB1'],
      ] as const)
        await setup.run(event(name, id));
      expect(await setup.sandbox.events()).toHaveLength(3);
      expect(bodyOf(writes(setup.sandbox)[2])).toMatchObject({ eventName: 'shipped' });
    });

    test('an option that is added and empty is ignored', async () => {
      for (let run = 0; run < 2; run += 1) await setup.run(emailParameters({ idempotencyKey: '' }), [ADA]);
      expect(await recipients()).toHaveLength(2);
    });
  });
});
