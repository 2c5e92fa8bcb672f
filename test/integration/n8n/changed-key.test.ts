import { AudienceClient } from 'audience-core';
import * as fc from 'fast-check';
import type { NewFault } from 'audience-sandbox';
import type { INodeParameters } from 'n8n-workflow';
import { faultsOf, onBothServices, setFaults } from './model.js';
import { emailParameters, mapped, NODE, nodeOutcome, oneNode } from './support.js';
import type { WorkflowFile } from '../../hosts/n8n-engine/index.js';
import type { NodeRun, Setup } from './support.js';

const ada = 'ada@example.com';
const bo = 'bo@example.com';

/** What decides over the key of a mail; a person may change it before a Retry. */
const KEYINGS = {
  run: {},
  content: { sendOnce: 'content' },
  ofAll: { idempotencyKey: 'may-newsletter' },
  ofRow: { idempotencyKey: '=order-{{ $json.row }}' },
  ofOther: { idempotencyKey: '=receipt-{{ $json.row }}' },
  // Refused in the rows that have no note.
  ofNote: { idempotencyKey: '={{ $json.note }}' },
  ofAnyNote: { idempotencyKey: "={{ $json.note ?? 'none' }}-{{ $json.row }}" },
  // Another one in each try.
  ofTry: { idempotencyKey: '={{ $execution.id }}-{{ $json.row }}' },
} as const;
type Keying = keyof typeof KEYINGS;

/** Those with which a row has a key of its own, whatever it says. */
const OF_ROW: readonly Keying[] = ['run', 'ofRow', 'ofOther', 'ofAnyNote', 'ofTry'];
/** Those with which a row that was corrected has another key. */
const OF_CONTENT: readonly Keying[] = ['run', 'content', 'ofTry'];

/** What corrections make of a row. */
const CONTENTS = {
  '={{ $json.firstName }}': (firstName: string) => firstName,
  "={{ $json.firstName === 'One' ? 'Two' : 'One' }}": (firstName: string) =>
    firstName === 'One' ? 'Two' : 'One',
  '=New {{ $json.firstName }}': (firstName: string) => `New ${firstName}`,
};
const CORRECTED = "={{ $json.email.replace('@@', '@') }}";
const ADDRESSES = [
  "={{ $json.email.replace('@@', '@') }}",
  "={{ $json.email.replace('@@', '@').toUpperCase() }}",
];

const scenarioOf = (keyings: readonly Keying[], contents: readonly (keyof typeof CONTENTS)[]) =>
  fc.record({
    rows: fc.array(
      fc.record({
        email: fc.constantFrom(ada, ada, bo, 'bo@@example.com', 'ada@@example.com'),
        firstName: fc.constantFrom('One', 'Two'),
        note: fc.constantFrom('a', 'b', undefined),
      }),
      { minLength: 2, maxLength: 6 },
    ),
    faults: fc.array(
      faultsOf(
        [{ status: 422 }, { status: 503 }, { status: 503, when: 'after' }, { cut: true, when: 'after' }],
        { percents: [20, 50], times: [1, 3] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    onFailedItem: fc.constantFrom('stop', 'finish'),
    retries: fc.constantFrom(0, 1),
    concurrency: fc.constantFrom(1, 10),
    tries: fc.array(
      fc.record({
        keying: fc.constantFrom(...keyings),
        content: fc.constantFrom(...contents),
        address: fc.constantFrom(...ADDRESSES),
      }),
      { minLength: 2, maxLength: 4 },
    ),
  });
type Scenario = ReturnType<typeof scenarioOf> extends fc.Arbitrary<infer Value> ? Value : never;

async function runAndCheck(setup: Setup, given: Scenario): Promise<void> {
  const { faults, tries, onFailedItem, retries, concurrency } = given;
  const rows = given.rows.map((row, index) => ({ ...row, row: index }));
  const used: Scenario['tries'] = [];
  const parametersOf = (index: number): INodeParameters => {
    const one = tries[Math.min(index, tries.length - 1)];
    if (one === undefined) throw new Error('There is no try.');
    used.push(one);
    return {
      ...emailParameters(
        { ...KEYINGS[one.keying], onFailedItem, retries, concurrency },
        { firstName: one.content, planName: 'Free' },
      ),
      email: index === 0 ? '={{ $json.email }}' : one.address,
    };
  };
  setFaults(setup.sandbox, 'sendTransactionalEmail', faults);
  let { outcome } = await setup.run(parametersOf(0), rows, { mode: 'trigger' });
  for (let index = 1; index < 10 && outcome.status === 'error'; index += 1)
    outcome = (await retry(setup, { outcome }, parametersOf(index))).outcome;

  const toOf = (row: (typeof rows)[number]): string => row.email.replace('@@', '@');
  const received = (to: string, says: string): number =>
    setup.sandbox
      .emails()
      .filter((mail) => mail.to.toLowerCase() === to && mail.dataVariables['firstName'] === says).length;
  const last = used.at(-1);
  for (const { email, firstName } of rows) {
    const to = email.replace('@@', '@');
    for (const { content } of used) {
      const says = CONTENTS[content](firstName);
      // A row may have gone out once with each of the contents that it had.
      const mayHaveIt = rows.filter(
        (row) => toOf(row) === to && used.some((one) => CONTENTS[one.content](row.firstName) === says),
      );
      expect(received(to, says)).toBeLessThanOrEqual(mayHaveIt.length);
    }
    if (outcome.status === 'error' || last === undefined) continue;
    const says = CONTENTS[last.content](firstName);
    const toHaveIt = rows.filter(
      (row) => toOf(row) === to && CONTENTS[last.content](row.firstName) === says,
    ).length;
    const isEachSent = used.every(({ keying }) => OF_ROW.includes(keying));
    expect(received(to, says)).toBeGreaterThanOrEqual(isEachSent ? toHaveIt : 1);
  }
}

/** Retries an execution with other options. */
async function retry(
  { n8n, credentials }: Setup,
  { outcome }: Pick<NodeRun, 'outcome'>,
  parameters: INodeParameters,
): Promise<Pick<NodeRun, 'outcome' | 'error' | 'hints'>> {
  const retried = await n8n.retry(oneNode(parameters), outcome, { credentials });
  return { ...nodeOutcome(retried), outcome: retried };
}

onBothServices(20, ({ setup, duplicates, holds }) => {
  holds(
    'a Retry sends what is missing and nothing twice, whatever keys its items have by then',
    scenarioOf(
      ['run', 'content', 'ofAll', 'ofRow', 'ofOther', 'ofNote', 'ofAnyNote', 'ofTry'],
      ['={{ $json.firstName }}'],
    ),
    runAndCheck,
  );
  holds(
    'the same where contents are corrected, and corrected back',
    scenarioOf(OF_CONTENT, [
      '={{ $json.firstName }}',
      "={{ $json.firstName === 'One' ? 'Two' : 'One' }}",
      '=New {{ $json.firstName }}',
    ]),
    runAndCheck,
  );
  const bad = 'bo@@example.com';
  const rows = [
    { email: ada, firstName: 'One', row: 0 },
    { email: ada, firstName: 'Two', row: 1 },
    { email: bad, firstName: 'One', row: 2 },
  ];
  const withKey = (keying: Keying, email = '={{ $json.email }}'): INodeParameters => ({
    ...emailParameters({ ...KEYINGS[keying], onFailedItem: 'finish', retries: 0, concurrency: 1 }),
    email,
  });

  test.each<[Keying, Keying]>([
    ['ofRow', 'ofOther'],
    ['ofRow', 'run'],
    ['ofRow', 'content'],
    ['run', 'ofRow'],
    ['run', 'content'],
    ['content', 'run'],
  ])('what went out with %s keys counts for %s keys', async (before, after) => {
    const failed = await setup.run(withKey(before), rows, { mode: 'trigger' });
    expect(failed.error?.description).toContain('2 of 3 items were carried out');
    const { outcome, hints } = await retry(setup, failed, withKey(after, CORRECTED));
    expect(outcome.status).toBe('success');
    expect(setup.sandbox.emails().map(({ to, dataVariables }) => [to, dataVariables['firstName']])).toEqual([
      [ada, 'One'],
      [ada, 'Two'],
      [bo, 'One'],
    ]);
    expect(hints.join()).not.toContain("only the 'Idempotency Key' says");
  });

  test('two orders that one key made one mail of are two with two keys', async () => {
    const same = [
      { email: ada, firstName: 'One', row: 0 },
      { email: ada, firstName: 'One', row: 1 },
      { email: bad, firstName: 'One', row: 2 },
    ];
    const failed = await setup.run(withKey('ofAll'), same, { mode: 'trigger' });
    expect(setup.sandbox.emails()).toHaveLength(1);
    const { outcome } = await retry(setup, failed, withKey('ofRow', CORRECTED));
    expect(outcome.status).toBe('success');
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, ada, bo]);
  });

  test('what another run has sent goes out, where a Retry gives it a new key', async () => {
    await setup.run(withKey('ofRow'), rows.slice(0, 1), { mode: 'trigger' });
    const failed = await setup.run(withKey('ofRow'), rows, { mode: 'trigger' });
    await retry(setup, failed, withKey('ofOther', CORRECTED));
    expect(setup.sandbox.emails().map(({ dataVariables }) => dataVariables['firstName'])).toEqual([
      'One',
      'Two',
      'One',
      'One',
    ]);
  });

  const contents = (): unknown[] =>
    setup.sandbox.emails().map(({ dataVariables }) => dataVariables['firstName']);
  const withContent = (
    content: string,
    options: INodeParameters,
    email = '={{ $json.email }}',
  ): INodeParameters => ({
    ...emailParameters(
      { onFailedItem: 'finish', retries: 0, concurrency: 1, ...options },
      { firstName: content, planName: 'Free' },
    ),
    email,
  });

  test('an equal row whose address is corrected goes out beside the other one', async () => {
    const equal = [
      { email: 'ada@@example.com', firstName: 'One', row: 0 },
      { email: ada, firstName: 'One', row: 1 },
    ];
    const failed = await setup.run(withKey('run'), equal, { mode: 'trigger' });
    await retry(setup, failed, withKey('run', CORRECTED));
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, ada]);
  });

  test('nor is one of equal rows lost where another one is corrected to something else', async () => {
    const equal = [0, 1, 2].map((row) => ({ email: ada, firstName: 'One', row }));
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 422, times: 1 });
    for (const fault of [{ latencyMs: 1 }, { status: 422 }])
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', times: 1, ...fault });
    const failed = await setup.run(withKey('run'), equal, { mode: 'trigger' });
    const before = setup.sandbox.emails().length;
    const content = "={{ $json.row === 0 ? 'Other' : $json.firstName }}";
    await retry(setup, failed, withContent(content, {}));
    expect([before, ...contents().sort()]).toEqual([1, 'One', 'One', 'Other']);
  });

  const own = { email: ada, firstName: 'One', row: 0 };

  test('what went out before it was corrected does not go out again when that is taken back', async () => {
    const key = { idempotencyKey: '={{ $execution.id }}-{{ $json.row }}' };
    let { outcome } = await setup.run(withContent('Old', key), [own, rows[2] ?? own], { mode: 'trigger' });
    for (const content of ['New', 'Old'])
      ({ outcome } = await retry(setup, { outcome }, withContent(content, key)));
    expect(contents()).toEqual(['Old', 'New']);
  });

  test('nor does it bring back into a group who has left it', async () => {
    const upsert = (firstName: string, options: INodeParameters = {}): INodeParameters => ({
      ...{ resource: 'contact', operation: 'upsert', eventName: 'imported', email: '={{ $json.email }}' },
      ...{ contactFields: mapped({ firstName }), additionalFields: { subscribeTo: ['group-newsletter'] } },
      options: { onFailedItem: 'finish', retries: 0, concurrency: 1, ...options },
    });
    const isIn = () =>
      setup.sandbox.contacts().find(({ email }) => email === ada)?.subscriptionGroups['group-newsletter'];
    let { outcome } = await setup.run(upsert('Old'), [own, rows[2] ?? own], { mode: 'trigger' });
    ({ outcome } = await retry(setup, { outcome }, upsert('New')));
    const leaves = new AudienceClient({ baseUrl: setup.sandbox.url, apiKey: setup.sandbox.apiKey });
    await leaves.contacts.update(ada, { subscriptionGroups: { 'group-newsletter': false } });
    await retry(setup, { outcome }, upsert('Old', { idempotencyKey: '=one-{{ $json.row }}' }));
    expect(isIn()).toBe(false);
  });

  test('what a used key has kept from going out goes out with another one', async () => {
    const bad = rows[2] ?? own;
    let { outcome } = await setup.run(
      withContent('Old', { idempotencyKey: '=k-{{ $json.row }}' }),
      [own, bad],
      {
        mode: 'trigger',
      },
    );
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 503, times: 1 });
    const again = withContent('New', { idempotencyKey: '=k-{{ $json.row }}', retries: 2 });
    ({ outcome } = await retry(setup, { outcome }, again));
    await retry(setup, { outcome }, withContent('New', { idempotencyKey: '=l-{{ $json.row }}' }));
    expect(contents()).toEqual(['Old', 'New']);
  });

  const key = (name: string): INodeParameters => ({ idempotencyKey: `=${name}-{{ $json.row }}` });
  const fail = (...faults: Partial<NewFault>[]): void => {
    for (const fault of faults)
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', times: 1, ...fault });
  };
  const LOST = { cut: true, when: 'after' } as const;
  const NOT_DONE = { status: 503 };
  const REFUSED = { status: 422 };
  /** A fault that changes nothing. */
  const NONE = { latencyMs: 1 };

  test('what went out and was not answered is found by its key, also after an older content was unclear', async () => {
    fail({ status: 503 });
    const items = [own, rows[2] ?? own];
    let { outcome } = await setup.run(withContent('Old', key('k')), items, { mode: 'trigger' });
    fail({ cut: true, when: 'after' });
    ({ outcome } = await retry(setup, { outcome }, withContent('New', key('k'))));
    await retry(setup, { outcome }, withContent('New', key('l')));
    expect(contents()).toEqual(['New']);
  });

  test('what was unclear under a key that something newer went out with was not sent', async () => {
    fail({ status: 503 });
    const items = [own, rows[2] ?? own];
    let { outcome } = await setup.run(withContent('Old', key('k')), items, { mode: 'trigger' });
    ({ outcome } = await retry(setup, { outcome }, withContent('New', key('k'))));
    await retry(setup, { outcome }, withContent('Old', key('l')));
    expect(contents()).toEqual(['New', 'Old']);
  });

  test('nor is it sent where another node has used the key, and the attempt of this one got no answer', async () => {
    const workflow = (parameters: INodeParameters): WorkflowFile => {
      const one = oneNode(parameters);
      const [node] = one.nodes.filter(({ name }) => name === NODE);
      if (node === undefined) throw new Error('There is no node.');
      const first = { ...node, id: 'id-of-first', name: 'First', parameters: withContent('One', key('k')) };
      const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
      return {
        ...one,
        nodes: [...one.nodes, first],
        connections: {
          Trigger: {
            main: [[NODE, 'First'].map((name) => ({ node: name, type: 'main' as const, index: 0 }))],
          },
          [NODE]: to('Done'),
        },
      };
    };
    const { n8n, credentials } = setup;
    const parameters = (name: string): INodeParameters => withContent('One', key(name));
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', latencyMs: 1, times: 1 });
    fail({ status: 503 });
    const failed = await n8n.execute(workflow(parameters('k')), { credentials, inputItems: [{ ...own }] });
    expect([failed.status, ...contents()]).toEqual(['error', 'One']);
    const retried = await n8n.retry(workflow(parameters('l')), failed, { credentials });
    expect([retried.status, ...contents()]).toEqual(['success', 'One', 'One']);
  });

  test('two orders are two also where the second one was unclear under the key of both', async () => {
    const same = [own, { ...own, row: 1 }, { ...own, email: bad, row: 2 }];
    for (const fault of [{ latencyMs: 1 }, { status: 503 }])
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', times: 1, ...fault });
    const failed = await setup.run(withContent('One', { ...KEYINGS.ofAll, retries: 2 }), same, {
      mode: 'trigger',
    });
    expect(contents()).toHaveLength(1);
    await retry(setup, failed, withKey('ofRow', CORRECTED));
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, ada, bo]);
  });

  test('what is unclear under a key that an equal row has, without using it, is found again', async () => {
    const equal = [own, { ...own, email: 'ada@@example.com', row: 1 }];
    const failed = await setup.run(withKey('run'), equal, { mode: 'trigger' });
    // Both are asked for at once: the first one goes by the key of before, the answer for the second one gets lost.
    const together = { ...KEYINGS.ofAll, concurrency: 2 };
    for (const fault of [{ latencyMs: 1 }, { cut: true as const, when: 'after' as const }])
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', times: 1, ...fault });
    const second = await retry(setup, failed, withContent('={{ $json.firstName }}', together, CORRECTED));
    await retry(setup, second, withKey('run', CORRECTED));
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, ada]);
  });

  test('a key that another item has used for another content is refused', async () => {
    const noted = [
      { ...own, note: 'a' },
      { ...own, firstName: 'Two', row: 1 },
    ];
    const failed = await setup.run(withKey('ofNote'), noted, { mode: 'trigger' });
    const shifted = withContent('={{ $json.firstName }}', { idempotencyKey: "={{ ['x', 'a'][$json.row] }}" });
    const { error } = await retry(setup, failed, shifted);
    expect(error?.message).toContain('item 0 of an earlier try has sent another content to the same person');
    expect(contents()).toEqual(['One']);
  });

  test('one that another item may have used for another content is refused, and with another one it goes out', async () => {
    const two = [own, { ...own, firstName: 'Two', row: 1 }];
    // By a slip, item 0 has the key of item 1, and no answer.
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 503, times: 1 });
    const slip = { idempotencyKey: "={{ ['order-1', ''][$json.row] }}" };
    const failed = await setup.run(withContent('={{ $json.firstName }}', slip), two, { mode: 'trigger' });
    const corrected = withContent('=New {{ $json.firstName }}', KEYINGS.ofRow);
    const refused = await retry(setup, failed, corrected);
    expect(refused.error?.message).toContain("With 'Idempotency Key' 'order-1' item 0 of an earlier try may");
    expect(refused.error?.description).toContain('Give this item another key');
    await retry(setup, refused, withContent('=New {{ $json.firstName }}', KEYINGS.ofOther));
    expect(contents().toSorted()).toEqual(['New One', 'New Two']);
  });

  const bads = rows[2] ?? own;

  test('what is refused as an older content is in progress goes out with another key', async () => {
    fail({ latencyMs: 600 });
    const slow = (name: string): INodeParameters => ({ ...key(name), timeout: 20 });
    let { outcome } = await setup.run(withContent('Old', slow('late')), [own], { mode: 'trigger' });
    ({ outcome } = await retry(setup, { outcome }, withContent('New', slow('late'))));
    ({ outcome } = await retry(setup, { outcome }, withContent('New', slow('later'))));
    expect(outcome.status).toBe('success');
    expect(contents().filter((content) => content === 'New')).toHaveLength(1);
  });

  test.each([
    ['by the call itself', 5],
    ['by a Retry', 0],
  ])('a key that an older content was found with, %s, has not sent a newer one', async (_by, retries) => {
    fail(LOST);
    let { outcome } = await setup.run(withContent('Old', { ...key('k'), retries }), [own, bads], {
      mode: 'trigger',
    });
    if (retries === 0) ({ outcome } = await retry(setup, { outcome }, withContent('Old', key('k'))));
    fail(NOT_DONE);
    ({ outcome } = await retry(setup, { outcome }, withContent('New', key('k'))));
    await retry(setup, { outcome }, withContent('New', key('l')));
    expect(contents()).toEqual(['Old', 'New']);
  });

  test('of two contents that one key may have sent nothing is claimed, and nothing sent with another key', async () => {
    fail(NOT_DONE);
    let { outcome } = await setup.run(withContent('Old', key('k')), [own, bads], { mode: 'trigger' });
    fail(LOST);
    ({ outcome } = await retry(setup, { outcome }, withContent('New', { ...key('k'), retries: 5 })));
    const refused = await retry(setup, { outcome }, withContent('New', key('l')));
    expect(refused.error?.message).toContain('It is not clear whether an earlier try has sent this');
    expect(contents()).toEqual(['New']);
    const counted = await retry(setup, refused, withContent('New', key('k'), CORRECTED));
    expect([counted.outcome.status, ...contents()]).toEqual(['success', 'New', 'New']);
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, bo]);
  });

  const two = [own, { ...own, row: 1 }];

  test.each<[string, ...Partial<NewFault>[]]>([
    ['refused', REFUSED, NONE],
    ['refused, and the other one unclear', REFUSED, NOT_DONE],
    ['refused, and the other one sent without an answer', REFUSED, LOST],
  ])(
    'equal orders whose numbers were off by one go out once each: the first one %s',
    async (_how, ...faults) => {
      fail(...faults);
      const numbered = (by: number): INodeParameters => ({
        idempotencyKey: `=order-{{ $json.row + ${by} }}`,
      });
      let { outcome } = await setup.run(withContent('One', numbered(0)), two, { mode: 'trigger' });
      for (const by of [1, 0, 1])
        if (outcome.status === 'error')
          ({ outcome } = await retry(setup, { outcome }, withContent('One', numbered(by))));
      expect([outcome.status, ...contents()]).toEqual(['success', 'One', 'One']);
    },
  );

  test('equal orders whose keys changed places go out once each', async () => {
    const three = [...two, { ...own, row: 2 }];
    const turned = (by: number): INodeParameters => ({
      idempotencyKey: `=order-{{ ($json.row + ${by}) % 3 }}`,
    });
    fail(NONE, NONE, REFUSED);
    let { outcome } = await setup.run(withContent('One', turned(0)), three, { mode: 'trigger' });
    fail(REFUSED);
    for (const by of [1, 2]) ({ outcome } = await retry(setup, { outcome }, withContent('One', turned(by))));
    expect([outcome.status, ...contents()]).toEqual(['success', 'One', 'One', 'One']);
  });

  test('what the service may have done although it refused it at once does not go out with another key', async () => {
    fail({ status: 409, when: 'after' });
    const failed = await setup.run(withContent('One', {}), [own, bads], { mode: 'trigger' });
    expect(failed.error?.message).toContain('It is not clear whether');
    await retry(setup, failed, withContent('One', key('k'), CORRECTED));
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, bo]);
  });

  test('nor where an older content, of which nobody knows, had the key', async () => {
    fail(NOT_DONE);
    let { outcome } = await setup.run(withContent('Old', key('k')), [own, bads], { mode: 'trigger' });
    fail({ status: 409, when: 'after' });
    ({ outcome } = await retry(setup, { outcome }, withContent('New', key('k'))));
    const refused = await retry(setup, { outcome }, withContent('New', key('l')));
    expect(refused.error?.message).toContain('It is not clear whether an earlier try has sent this');
    expect(contents()).toEqual(['New']);
  });

  test("a key that an equal item has sent something with stays that item's, if the other one does not go out", async () => {
    const numbered = (by: number): INodeParameters => ({ idempotencyKey: `=order-{{ $json.row + ${by} }}` });
    fail(REFUSED);
    let { outcome } = await setup.run(withContent('One', numbered(0)), [...two, bads], { mode: 'trigger' });
    // The check stops it, so that the first item, which has the key of the second one now, sends nothing.
    const stops = withContent('One', { ...numbered(1), onFailedItem: 'stop' });
    ({ outcome } = await retry(setup, { outcome }, stops));
    expect(contents()).toEqual(['One']);
    await retry(setup, { outcome }, withContent("={{ $json.row === 0 ? 'Two' : 'One' }}", {}, CORRECTED));
    expect(contents()).toEqual(['One', 'Two', 'One']);
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, ada, bo]);
  });

  test('the same where the one that had the key for a try got no answer', async () => {
    const numbered = (by: number): INodeParameters => ({ idempotencyKey: `=order-{{ $json.row + ${by} }}` });
    fail(REFUSED);
    let { outcome } = await setup.run(withContent('One', numbered(0)), two, { mode: 'trigger' });
    fail(NOT_DONE);
    const stops = withContent('One', { ...numbered(1), onFailedItem: 'stop' });
    ({ outcome } = await retry(setup, { outcome }, stops));
    await retry(setup, { outcome }, withContent("={{ $json.row === 0 ? 'Two' : 'One' }}", {}));
    expect(contents()).toEqual(['One', 'Two']);
  });

  test('equal items of which some have the key of all, and some had a bad address, go out once each', async () => {
    const four = [...two, { ...own, row: 2 }, { ...own, row: 3 }];
    fail(NOT_DONE, REFUSED, NOT_DONE, REFUSED);
    let { outcome } = await setup.run(withContent('One', { idempotencyKey: 'for-all' }), four, {
      mode: 'trigger',
    });
    fail(NOT_DONE);
    const someBad = "={{ $json.row < 2 ? 'ada@@example.com' : $json.email }}";
    ({ outcome } = await retry(setup, { outcome }, withContent('One', {}, someBad)));
    ({ outcome } = await retry(setup, { outcome }, withContent('One', {})));
    expect([outcome.status, ...contents()]).toEqual(['success', 'One', 'One', 'One', 'One']);
  });

  test.each([
    ['the second one', ['o0', 'o1'], [NOT_DONE, NOT_DONE]],
    ['the first one', ['o1', 'o0'], [NOT_DONE, NOT_DONE]],
    ['the second one, and the first one was sent', ['o0', 'o1'], [LOST, NOT_DONE]],
  ])('equal items that had one key, which %s keeps, go out once each', async (_which, names, faults) => {
    fail(...faults);
    const failed = await setup.run(withContent('One', { idempotencyKey: 'o1' }), two, { mode: 'trigger' });
    const corrected = { idempotencyKey: `={{ ${JSON.stringify(names)}[$json.row] }}` };
    const { outcome } = await retry(setup, failed, withContent('One', corrected));
    expect([outcome.status, ...contents()]).toEqual(['success', 'One', 'One']);
  });

  test('a key of which an equal item has no use is not taken where it has sent another content', async () => {
    const keys = (...names: string[]): INodeParameters => ({
      idempotencyKey: `={{ ${JSON.stringify(names)}[$json.row] }}`,
    });
    fail(NONE, REFUSED);
    let { outcome } = await setup.run(withContent('One', keys('a', 'b')), two, { mode: 'trigger' });
    fail(NONE, REFUSED);
    const oneCorrected = withContent("={{ $json.row === 0 ? 'Two' : 'One' }}", keys('z', 'b'));
    ({ outcome } = await retry(setup, { outcome }, oneCorrected));
    const refused = await retry(setup, { outcome }, withContent('One', keys('z', 'a')));
    expect(refused.error?.description).toContain("Give this item another 'Idempotency Key'.");
    const sent = await retry(setup, refused, withContent('One', keys('z', 'c')));
    expect([sent.outcome.status, ...contents()]).toEqual(['success', 'One', 'Two', 'One']);
  });

  test('an equal item that one key made one of is for itself also where its own attempt was unclear', async () => {
    fail(NONE, NOT_DONE);
    const byContent = withContent('One', { sendOnce: 'content', retries: 2 });
    const failed = await setup.run(byContent, [...two, bads], { mode: 'trigger' });
    expect(contents()).toHaveLength(1);
    await retry(setup, failed, withContent('One', {}, CORRECTED));
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, ada, bo]);
  });

  test('an item whose key an equal one had, too, finds what it sent, where that one is corrected', async () => {
    fail(NOT_DONE, LOST);
    const failed = await setup.run(withContent('One', KEYINGS.ofAll), [...two, bads], { mode: 'trigger' });
    await retry(setup, failed, withContent("={{ $json.row === 0 ? 'Two' : 'One' }}", key('r'), CORRECTED));
    expect(contents()).toEqual(['One', 'Two', 'One']);
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual([ada, ada, bo]);
  });

  test('that an own key counts whatever the content is told where an earlier try was unclear, too', async () => {
    const key = { idempotencyKey: 'k-1' };
    await setup.run(withContent('Old', key), [own], { mode: 'trigger' });
    setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 503, times: 1 });
    const failed = await setup.run(withContent('New', key), [own], { mode: 'trigger' });
    const { hints } = await retry(setup, failed, withContent('New', key));
    expect(contents()).toEqual(['Old']);
    if (duplicates === 'refuse') expect(hints.join()).toContain('give it another key in a new run');
  });

  test.each([{ sendOnce: 'content' }, { idempotencyKey: '=k-{{ $json.row }}' }])(
    'what went out with another key is told to go out again in a new run: %j',
    async (options) => {
      const failed = await setup.run(withContent('One', {}), [own, rows[2] ?? own], { mode: 'trigger' });
      setup.sandbox.faults.next({ route: 'sendTransactionalEmail', status: 503, times: 1 });
      const workflow = oneNode(withContent('One', options), { onError: 'continueRegularOutput' });
      const retried = nodeOutcome(
        await setup.n8n.retry(workflow, failed.outcome, { credentials: setup.credentials }),
      );
      const said = retried.items[0]?.json['error'];
      expect(said).toContain('It is not clear whether');
      expect(said).toContain('Look it up, as a new run sends it again');
    },
  );
});
