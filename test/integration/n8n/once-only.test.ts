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
  type NodeRun,
} from './support.js';

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const DAY = 24 * 60 * 60 * 1000;
const THREE = people(3);
const ADA = { email: 'ada@example.com', firstName: 'Ada' };

/** Wires from one output. */
const to = (...names: string[]) => ({
  main: [names.map((node) => ({ node, type: 'main' as const, index: 0 }))],
});

/** A service of a kind, and what the tests do with it. */
function stageFor(duplicates: 'refuse' | 'replay') {
  fastClockForTests(20);
  const setup = setUpForFile({ profile: { duplicates } });
  return {
    setup,
    recipients: async () => (await setup.sandbox.emails()).map(({ to }) => to).sort(),
    /** Runs three emails. The service refuses the second one. */
    failOnOne: async (settings: object = {}): Promise<NodeRun> => {
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', delayMs: 1 });
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', respond: { status: 422 } });
      return await setup.run(emailParameters({ concurrency: 1 }), THREE, { settings, mode: 'trigger' });
    },
    /** Retries an execution that failed, with its own workflow or a corrected one. */
    retry: async ({ workflow, outcome }: Pick<NodeRun, 'workflow' | 'outcome'>, corrected = workflow) => {
      const retried = await setup.n8n.retry(corrected, outcome, { credentials: setup.credentials });
      return { status: retried.status, ...nodeOutcome(retried) };
    },
  };
}

describe.each(['refuse', 'replay'] as const)('on a service that would %s a used key', (duplicates) => {
  const { setup, recipients, retry } = stageFor(duplicates);

  test('after a crash a Retry sends the missing items, with any run index', async () => {
    const first = await setup.run(emailParameters(), THREE.slice(0, 2), { mode: 'trigger' });
    const { n8n, credentials } = setup;
    const ended = { ended: [NODE], changed: THREE };
    const retried = await n8n.retryCrashed(first.workflow, first.outcome, { credentials }, ended);
    expect(retried.status).toBe('success');
    expect(await recipients()).toEqual(THREE.map(({ email }) => email));
    // A Retry of that Retry, had it crashed, is about the same run of the node.
    expect((await n8n.takeOver(first.workflow, retried, { credentials, mode: 'retry' })).status).toBe(
      'success',
    );
    expect(await recipients()).toHaveLength(3);
  });

  test.each([{}, { idempotencyKey: 'may' }])(
    'after a crash on Friday, a Retry on Monday sends nothing: %j',
    async (options) => {
      const first = await setup.run(emailParameters({ ...options }), THREE, { mode: 'trigger' });
      const { n8n, credentials } = setup;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY);
      const retried = nodeOutcome(await n8n.retryCrashed(first.workflow, first.outcome, { credentials }));
      clock.mockRestore();
      expect(retried.error?.context['code']).toBe('forgotten-run');
      expect(retried.error?.description).not.toContain('arrow');
      expect(writes(setup.sandbox)).toHaveLength(3);
    },
  );

  test('a Retry on Monday sends what was never begun or refused, and refuses what may have been sent', async () => {
    const rows = people(5);
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', delayMs: 1 });
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', respond: { status: 422 } });
    const refused = await setup.run(emailParameters({ concurrency: 1 }), rows, { mode: 'trigger' });
    const monday = Date.now() + 3 * DAY;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => monday);
    const retried = await retry(refused);
    expect(retried.status).toBe('success');
    expect(await recipients()).toEqual(rows.map(({ email }) => email));
    clock.mockRestore();

    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', cut: true, times: 100 });
    const open = await setup.run(emailParameters({ concurrency: 1 }), rows, { mode: 'trigger' });
    setup.sandbox.faults.clear();
    const later = jest.spyOn(Date, 'now').mockImplementation(() => monday);
    const again = await retry(open);
    later.mockRestore();
    expect(again.error).toMatchObject({ itemIndex: 0 });
    expect(again.error?.context['code']).toBe('forgotten-key');
    expect(await recipients()).toHaveLength(5);
  });

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
    else expect(error?.message).toContain('409');
    expect(await recipients()).toEqual(['ada@example.com']);
  });
});

describe('a Retry for which n8n kept no record of the node', () => {
  const { setup, recipients, retry } = stageFor('replay');
  const route = 'sendTransactionalEmail';

  test('an earlier node failed: all goes out, and a refusal is not told as "not sent"', async () => {
    const { n8n, credentials } = setup;
    const first = await setup.run(emailParameters(), THREE, { mode: 'trigger' });
    setup.sandbox.reset();
    setup.sandbox.faults.next({ route, respond: { status: 422 } });
    const failed = await n8n.retryCrashed(first.workflow, first.outcome, { credentials });
    const { error } = nodeOutcome(failed);
    expect(error?.context).toMatchObject({ reason: 'refused', unclear: true });
    expect(error?.description).toContain('n8n kept no record of this node: if it ran before, the item may');
    expect((await retry({ workflow: first.workflow, outcome: failed })).status).toBe('success');
    expect(await recipients()).toEqual(THREE.map(({ email }) => email));
  });

  test.each([
    ['the designs cannot be read', 2 * 61_000, 'serviceFailed'],
    ['its key may be forgotten', DAY, 'input'],
  ])('an item that fails in the check may have been sent: %s', async (_what, later, reason) => {
    const { n8n, credentials } = setup;
    const options = { settings: { onError: 'continueErrorOutput' }, mode: 'trigger' } as const;
    const first = await setup.run(emailParameters(), THREE.slice(0, 2), options);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + later);
    const down = { route: 'listTransactionalEmails', respond: { status: 503 }, times: 100 } as const;
    if (reason !== 'input') setup.sandbox.faults.next(down);
    const retried = nodeOutcome(await n8n.retryCrashed(first.workflow, first.outcome, { credentials }));
    clock.mockRestore();
    const details = (retried.branches[1] ?? []).map(({ json }) => json['details']);
    expect(details).toMatchObject([0, 1].map((itemIndex) => ({ itemIndex, reason, unclear: true })));
    expect(writes(setup.sandbox)).toHaveLength(2);
  });

  const SUB = { mode: 'integrated', parentExecutionId: '7' } as const;

  test.each([
    ['a sub-workflow', SUB, 'lost-sub-workflow', 'the workflow that called it again'],
    ['a run that was not stored', { mode: 'manual', isStored: false } as const, 'lost-run', 'again.'],
  ])('%s crashed: nothing is sent, also in a Retry of the Retry', async (_what, options, code, says) => {
    const { n8n, credentials } = setup;
    const more = { credentials, ...options };
    const first = await setup.run(emailParameters({ idempotencyKey: 'may' }), THREE, options);
    let last = await n8n.retryCrashed(first.workflow, first.outcome, more);
    for (let again = 0; again < 2; again += 1) {
      const { error } = nodeOutcome(last);
      expect(error?.context['code']).toBe(code);
      expect(error?.description).toContain(says);
      expect(error?.description).not.toContain('arrow');
      last = await n8n.retry(first.workflow, last, more);
    }
    expect(writes(setup.sandbox)).toHaveLength(3);
    // A read and an update send nothing twice; what they note does not stand for the run.
    const contact = locator('email', 'ada@example.com');
    const get = oneNode({ resource: 'contact', operation: 'get', contact });
    expect((await n8n.retry(get, last, more)).status).toBe('success');
  });

  test('a sub-workflow that failed: its own Retry sends what is missing, and the message says which Retry', async () => {
    const { n8n, credentials } = setup;
    setup.sandbox.faults.next({ route, delayMs: 1 });
    setup.sandbox.faults.next({ route, respond: { status: 422 } });
    const first = await setup.run(emailParameters({ concurrency: 1 }), THREE, SUB);
    expect(first.error?.description).toContain('Retry the execution of the sub-workflow itself');
    expect(first.error?.description).toContain(
      'A Retry of the workflow that called it sends everything again.',
    );
    expect(first.error?.description).not.toContain('only the missing');
    const retried = await n8n.retry(first.workflow, first.outcome, { credentials });
    expect(retried.status).toBe('success');
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

describe('on any service', () => {
  const { setup, recipients, failOnOne, retry } = stageFor('replay');

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
    expect((await setup.sandbox.emails()).map(({ to, variables }) => [to, variables['firstName']])).toEqual(
      THREE.map(({ email, firstName }, index) => [email, index === 0 ? firstName : (text ?? firstName)]),
    );
  });

  test('the same address in another spelling is the same account', async () => {
    const { workflow, outcome } = await failOnOne();
    const audienceApi = { ...setup.credentials['audienceApi'], baseUrl: `${setup.sandbox.url}/` };
    expect((await setup.n8n.retry(workflow, outcome, { credentials: { audienceApi } })).status).toBe(
      'success',
    );
    expect(await recipients()).toHaveLength(3);
  });

  test('a new run sends everything', async () => {
    for (let run = 0; run < 2; run += 1) await setup.run(emailParameters(), THREE, { executionId: '1' });
    expect(await recipients()).toHaveLength(6);
  });

  test('two nodes, and two runs of one node, send separately', async () => {
    const file = oneNode(emailParameters());
    const second = { ...file.nodes[1], name: 'Second' };
    const workflow = {
      ...file,
      nodes: [...file.nodes, ...(file.nodes[1] === undefined ? [] : [{ ...file.nodes[1], ...second }])],
      connections: { Trigger: to('Done', 'Failed', 'Second'), Done: to(NODE), Failed: to(NODE) },
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
      expect(hints).toEqual([
        "Nothing was sent for 2 of 8 items: they are duplicates by their 'Idempotency Key'.",
      ]);
    });

    test('equal items share the failure of the first one, and a Retry sends it once', async () => {
      const rows = [ADA, { ...ADA, email: 'ADA@example.com' }];
      const keyed = emailParameters({ idempotencyKey: 'may-newsletter' });
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', respond: { status: 422 } });
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
      expect(error?.message).toMatch(/: items 1, 2\]$/);
      expect(writes(setup.sandbox)).toEqual([]);
      const settings = { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' } as const;
      const { items } = await setup.run(keyed, rows.slice(1), { settings });
      expect(items.map(({ json }) => 'error' in json)).toEqual([true, true]);
      expect(writes(setup.sandbox)).toEqual([]);
    });

    test('a changed text under a key of an earlier run: no Retry is advised, as it would be refused again', async () => {
      const keyed = (firstName: string) =>
        emailParameters({ idempotencyKey: 'receipt' }, { firstName, planName: 'Free' });
      await setup.run(keyed('Ada'), THREE.slice(0, 2));
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', times: 2, respond: { status: 409 } });
      const { error } = await setup.run(keyed('Countess'), THREE.slice(0, 2));
      expect(error?.context).toMatchObject({ reason: 'conflict', unclear: true });
      expect(error?.description).toMatch(/look it up|another key/i);
      expect(error?.description).not.toContain('arrow');
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

    test.each([
      ['=order-{{ $json.orderNo }}', 'no-value'],
      ["={{ '  ' }}", 'no-value'],
      ['order-{{ $json.orderNo }}', 'not-evaluated'],
    ])('%s is refused: %s', async (idempotencyKey, code) => {
      const { error } = await setup.run(emailParameters({ idempotencyKey }), [ADA]);
      expect(error?.context).toMatchObject({ code, subject: { name: 'Idempotency Key' }, itemIndex: 0 });
      expect(writes(setup.sandbox)).toEqual([]);
    });

    test.each([
      'nullable-check-7',
      'NaNx8fk29',
      '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      'Bestellung-Ü',
    ])('%s is a key', async (orderNo) => {
      for (const key of ['={{ $json.orderNo }}', "=o-{{ $json.orderNo }}-{{ 'x'.repeat(300) }}"]) {
        const { error } = await setup.run(emailParameters({ idempotencyKey: key }), [{ ...ADA, orderNo }]);
        expect(error).toBeUndefined();
      }
      expect(await recipients()).toHaveLength(2);
    });

    test('an option that is added and empty is ignored', async () => {
      for (let run = 0; run < 2; run += 1) await setup.run(emailParameters({ idempotencyKey: '' }), [ADA]);
      expect(await recipients()).toHaveLength(2);
    });
  });
});
