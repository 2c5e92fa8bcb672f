import {
  PRESET_NAMES,
  startSandbox,
  type Preset,
  type RunningSandbox,
  type SandboxOptions,
  type Seed,
} from 'audience-sandbox';
import fc from 'fast-check';
import * as z from 'zod/v4-mini';
import { callsOf, folderForEach, type Answer } from './call.js';
import { Model, type Expected, type Fields, type Type } from './model.js';

const SEED: Seed = {
  designs: [
    { id: 'd1', name: 'One' },
    { id: 'd2', name: 'Two' },
  ],
  automations: [{ id: 'a', name: 'Going', eventName: 'go' }],
  subscriptionGroups: [
    { id: 'g1', name: 'One' },
    { id: 'g2', name: 'Two' },
  ],
  properties: [{ name: 'seats', type: 'number' }],
};

/** A sandbox whose clock stands still, so that no key expires by the time the test takes. */
interface Real {
  readonly options: SandboxOptions;
  sandbox: RunningSandbox;
}

/** One step of a history, in the model and in the sandbox. */
interface Step {
  readonly text: string;
  readonly act: (model: Model, real: Real) => Promise<void>;
}

/** Takes the steps, and compares what both hold after each. */
async function carryOut(steps: readonly Step[], options: SandboxOptions): Promise<void> {
  const real: Real = { options, sandbox: await startSandbox(options) };
  const model = new Model(real.sandbox.profile());
  try {
    await callsOf(() => real.sandbox).control('PUT', '/clock', { stopped: true });
    for (const { act } of steps) {
      await act(model, real);
      expect((await real.sandbox.emails()).map(({ to }) => to)).toEqual(model.mails);
      expect((await real.sandbox.events()).map(({ name }) => name)).toEqual(model.events);
      expect(await real.sandbox.contacts()).toHaveLength(model.contacts.length);
    }
  } finally {
    await real.sandbox.close();
  }
}

/** A call: what the model says of it, and what the sandbox answers. */
const called = (
  text: string,
  expected: (model: Model) => Expected,
  act: (calls: ReturnType<typeof callsOf>) => Promise<Answer>,
): Step => ({
  text,
  act: async (model, { sandbox }) => {
    const answer = expected(model);
    const { status, body } = await act(callsOf(() => sandbox));
    expect({ status, body }).toMatchObject(answer);
  },
});

const passed = (milliseconds: number): Step => ({
  text: `${milliseconds} ms pass`,
  act: (model, { sandbox }) => {
    model.now += milliseconds;
    sandbox.clock.advance(milliseconds);
    return Promise.resolve();
  },
});

/** Deletes a mail, or all where there is none of that number. */
const deleted = (index: number): Step => ({
  text: `delete mail ${index}`,
  act: async (model, { sandbox }) => {
    const mail = (await sandbox.emails())[index];
    const path = mail === undefined ? '/emails' : `/emails/${mail.id}`;
    const { control } = callsOf(() => sandbox);
    expect((await control('DELETE', path)).status).toBe(200);
    model.mails.splice(mail === undefined ? 0 : index, mail === undefined ? model.mails.length : 1);
    if (mail !== undefined) expect((await control('DELETE', path)).status).toBe(404);
  },
});

/** Ends the sandbox and starts it on the same file: nothing may be missing then. */
const RESTART: Step = {
  text: 'restart',
  act: async (_, real) => {
    await real.sandbox.close();
    real.sandbox = await startSandbox(real.options);
  },
};

const email = fc.constantFrom('a@x.y', 'A@x.y', 'b@x.y', 'c@x.y');
const userId = fc.constantFrom('u1', 'u2', 'u3');
const identifier = fc.oneof(email, userId);
const propertyName = fc.constantFrom('seats', 'plan', 'since', 'trial');
const value = fc.oneof(fc.constantFrom('Pro', ''), fc.integer(), fc.constant(1.5), fc.boolean());
const type = fc.constantFrom<Type>('string', 'number', 'boolean', 'date');
const groups = fc.dictionary(fc.constantFrom('g1', 'g2', 'nope'), fc.boolean(), {
  maxKeys: 2,
  noNullPrototype: true,
});
// No empty values: they are not on the wire, and a payload without them is the same.
const anyMessage: fc.Arbitrary<Fields> = fc.record(
  {
    email,
    userId,
    firstName: fc.constantFrom('Ada', ''),
    groups,
    values: fc.dictionary(propertyName, value, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
    key: fc.constantFrom('k1', 'k2', 'k'.repeat(100), 'k'.repeat(101)),
  },
  { requiredKeys: [], noNullPrototype: true },
);
// Few enough that the same one comes again with its key.
const repeatedMessage = fc.constantFrom<Fields>({ email: 'a@x.y', key: 'k1' }, { email: 'b@x.y', key: 'k1' });
const message = fc.oneof({ weight: 2, arbitrary: anyMessage }, { weight: 1, arbitrary: repeatedMessage });
const change: fc.Arbitrary<Fields> = fc.record(
  {
    email,
    userId: fc.option(userId),
    firstName: fc.option(fc.constant('Bob')),
    subscribed: fc.boolean(),
    groups,
    values: fc.dictionary(propertyName, fc.option(value), { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

function wire({ groups: subscriptionGroups, values, ...fields }: Omit<Fields, 'key'>) {
  return { ...fields, ...values, ...(subscriptionGroups === undefined ? {} : { subscriptionGroups }) };
}

function send({ values: _values, key, ...fields }: Fields, design: string, addToAudience: boolean): Step {
  const body = { ...wire(fields), transactionalId: design, addToAudience };
  const expected = (model: Model) => model.send({ ...fields, key }, design, addToAudience);
  return called(`send ${JSON.stringify(body)} ${String(key)}`, expected, (calls) => calls.send(body, key));
}

function event({ key, ...fields }: Fields, eventName: string): Step {
  const body = { ...wire(fields), eventName };
  const expected = (model: Model) => model.event({ ...fields, key }, eventName);
  return called(`event ${JSON.stringify(body)} ${String(key)}`, expected, (calls) => calls.event(body, key));
}

function update(who: string, what: Fields): Step {
  const expected = (model: Model) => model.update(who, what);
  return called(`update ${who} ${JSON.stringify(what)}`, expected, (calls) => calls.update(who, wire(what)));
}

const LIST = called(
  'list properties',
  (model) => ({ status: 200, body: model.listed() }),
  ({ get }) => get('/v1/contacts/properties?list=custom'),
);

/** A history in which model and sandbox once differed. */
const FOUND = [
  event({ email: 'b@x.y', key: 'k1' }, 'go'),
  send({ email: 'a@x.y', userId: 'u1' }, 'd1', true),
  update('u1', { email: 'b@x.y' }),
];

const steps: fc.Arbitrary<Step>[] = [
  fc.tuple(message, fc.constantFrom('d1', 'd2', 'nope'), fc.boolean()).map((given) => send(...given)),
  fc.tuple(message, fc.constantFrom('go', 'stay')).map((given) => event(...given)),
  fc.tuple(identifier, change).map((given) => update(...given)),
  identifier.map((who) =>
    called(
      `read ${who}`,
      (model) => model.read(who),
      ({ contact }) => contact(who),
    ),
  ),
  fc
    .tuple(fc.oneof(propertyName, fc.constantFrom('source', 'createdAt', 'Plan', 'a b')), type)
    .map(([name, of]) =>
      called(
        `create ${name} ${of}`,
        (model) => model.create(name, of),
        ({ create }) => create(name, of),
      ),
    ),
  fc.constant(LIST),
  fc.nat({ max: 3 }).map(deleted),
  fc.constantFrom(60_000, 86_400_000).map(passed),
];

/** How many random sequences are tried; `.ci/run` tries more. */
const NUM_RUNS = z
  ._default(z.coerce.number().check(z.int(), z.positive()), 6)
  .parse(process.env['MODEL_RUNS']);

describe.each<Preset>(PRESET_NAMES)('a service of the kind %s', (preset) => {
  const inFolder = folderForEach();

  test.each([
    ['in memory', steps, NUM_RUNS],
    ['on SQLite with restarts', [...steps, fc.constant(RESTART)], Math.ceil(NUM_RUNS / 3)],
  ] as const)(
    '%s, the sandbox behaves as the model',
    async (where, kinds, numRuns) => {
      let files = 0;
      const histories = fc.array(fc.oneof(...kinds), { size: '+1' });
      const behavesSo = fc.asyncProperty(histories, async (history) => {
        files += 1;
        const dataFile = where === 'in memory' ? undefined : inFolder(`${files}.db`);
        await carryOut(history, { seed: SEED, profile: { preset }, dataFile });
      });
      await fc.assert(behavesSo, { numRuns, examples: [[FOUND]] });
    },
    120_000,
  );
});
