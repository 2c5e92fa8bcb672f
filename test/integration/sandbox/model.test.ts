import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRESET_NAMES, startSandbox, type Preset, type RunningSandbox, type Seed } from 'audience-sandbox';
import fc from 'fast-check';
import * as z from 'zod/v4-mini';
import { call, type Answer } from './call.js';
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

interface Real {
  sandbox: RunningSandbox;
  restart(): Promise<void>;
}
type Command = fc.AsyncCommand<Model, Real>;

/** A call: what the model says of it, and what the sandbox answers. */
class Call implements Command {
  constructor(
    private readonly text: string,
    private readonly expected: (model: Model) => Expected,
    private readonly act: (sandbox: RunningSandbox) => Promise<Answer>,
  ) {}

  check = () => true;

  async run(model: Model, real: Real): Promise<void> {
    const expected = this.expected(model);
    const answer = await this.act(real.sandbox);
    expect({ status: answer.status, body: answer.body }).toMatchObject(expected);
    expect((await real.sandbox.emails()).map(({ to }) => to)).toEqual(model.mails);
    expect((await real.sandbox.events()).map(({ name }) => name)).toEqual(model.events);
    expect(await real.sandbox.contacts()).toHaveLength(model.contacts.length);
  }

  toString = () => this.text;
}

class Pass implements Command {
  constructor(private readonly milliseconds: number) {}

  check = () => true;

  run(model: Model, real: Real): Promise<void> {
    model.now += this.milliseconds;
    real.sandbox.clock.advance(this.milliseconds);
    return Promise.resolve();
  }

  toString = () => `${this.milliseconds} ms pass`;
}

/** Deletes a mail, or all where there is none of that number. */
class Delete implements Command {
  constructor(private readonly index: number) {}

  check = () => true;

  async run(model: Model, { sandbox }: Real): Promise<void> {
    const mail = (await sandbox.emails())[this.index];
    const path = `/__sandbox/emails${mail === undefined ? '' : `/${mail.id}`}`;
    expect((await call(sandbox, 'DELETE', path)).status).toBe(200);
    model.mails.splice(mail === undefined ? 0 : this.index, mail === undefined ? model.mails.length : 1);
    expect((await sandbox.emails()).map(({ to }) => to)).toEqual(model.mails);
    if (mail !== undefined) expect((await call(sandbox, 'DELETE', path)).status).toBe(404);
  }

  toString = () => `delete mail ${this.index}`;
}

/** Ends the sandbox and starts it on the same file: nothing may be missing then. */
class Restart implements Command {
  check = () => true;

  async run(model: Model, real: Real): Promise<void> {
    await real.restart();
    expect((await real.sandbox.emails()).map(({ to }) => to)).toEqual(model.mails);
  }

  toString = () => 'restart';
}

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

function send({ values: _values, key, ...fields }: Fields, design: string, addToAudience: boolean): Command {
  const body = { ...wire(fields), transactionalId: design, addToAudience };
  return new Call(
    `send ${JSON.stringify(body)} ${String(key)}`,
    (model) => model.send({ ...fields, key }, design, addToAudience),
    (sandbox) => call(sandbox, 'POST', '/v1/transactional', { body, key }),
  );
}

function event({ key, ...fields }: Fields, eventName: string): Command {
  const body = { ...wire(fields), eventName };
  return new Call(
    `event ${JSON.stringify(body)} ${String(key)}`,
    (model) => model.event({ ...fields, key }, eventName),
    (sandbox) => call(sandbox, 'POST', '/v1/events/send', { body, key }),
  );
}

function update(who: string, what: Fields): Command {
  return new Call(
    `update ${who} ${JSON.stringify(what)}`,
    (model) => model.update(who, what),
    (sandbox) => call(sandbox, 'PUT', `/v1/contacts/${encodeURIComponent(who)}`, { body: wire(what) }),
  );
}

function list(path: string, body: (model: Model) => unknown): fc.Arbitrary<Command> {
  const expected = (model: Model) => ({ status: 200, body: body(model) });
  return fc.constant(new Call(`list ${path}`, expected, (sandbox) => call(sandbox, 'GET', path)));
}

/** Sequences in which model and sandbox once differed. */
const FOUND: [Command[]][] = [
  [
    [
      event({ email: 'b@x.y', key: 'k1' }, 'go'),
      send({ email: 'a@x.y', userId: 'u1' }, 'd1', true),
      update('u1', { email: 'b@x.y' }),
    ],
  ],
];

const commands: fc.Arbitrary<Command>[] = [
  fc.tuple(message, fc.constantFrom('d1', 'd2', 'nope'), fc.boolean()).map((given) => send(...given)),
  fc.tuple(message, fc.constantFrom('go', 'stay')).map((given) => event(...given)),
  fc.tuple(identifier, change).map((given) => update(...given)),
  identifier.map(
    (who) =>
      new Call(
        `read ${who}`,
        (model) => model.read(who),
        (sandbox) => call(sandbox, 'GET', `/v1/contacts/${encodeURIComponent(who)}`),
      ),
  ),
  fc.tuple(fc.oneof(propertyName, fc.constantFrom('source', 'createdAt', 'Plan', 'a b')), type).map(
    ([name, of]) =>
      new Call(
        `create ${name} ${of}`,
        (model) => model.create(name, of),
        (sandbox) => call(sandbox, 'POST', '/v1/contacts/properties', { body: { name, type: of } }),
      ),
  ),
  list('/v1/contacts/properties?list=custom', (model) => model.listed()),
  list('/v1/subscription-groups', (model) => model.groups.map((id) => ({ id }))),
  list('/v1/transactional', (model) => ({ data: model.designs.map((id) => ({ id })) })),
  fc.nat({ max: 3 }).map((index) => new Delete(index)),
  fc.constantFrom(60_000, 86_400_000).map((milliseconds) => new Pass(milliseconds)),
];

/** How many random sequences are tried; `.ci/run` tries more. */
const NUM_RUNS = z
  ._default(z.coerce.number().check(z.int(), z.positive()), 6)
  .parse(process.env['MODEL_RUNS']);

async function agree(
  start: () => Promise<Real>,
  end: (real: Real) => Promise<void>,
  more: readonly fc.Arbitrary<Command>[],
  numRuns: number,
) {
  const sequences: fc.Arbitrary<Iterable<Command>> = fc.commands([...commands, ...more], { size: '+1' });
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const real = await start();
      // Stood still, so that no key expires by the time the test takes.
      await call(real.sandbox, 'PUT', '/__sandbox/clock', { body: { stopped: true } });
      try {
        await fc.asyncModelRun(() => ({ model: new Model(real.sandbox.profile()), real }), sequence);
      } finally {
        await end(real);
      }
    }),
    { numRuns, examples: FOUND },
  );
}

describe.each<Preset>(PRESET_NAMES)('a service of the kind %s', (preset) => {
  const profile = { preset };

  test('in memory, the sandbox behaves as the model', async () => {
    const sandbox = await startSandbox({ seed: SEED, profile });
    const real: Real = { sandbox, restart: () => Promise.resolve() };
    try {
      await agree(
        () => {
          sandbox.reset();
          return Promise.resolve(real);
        },
        () => Promise.resolve(),
        [],
        NUM_RUNS,
      );
    } finally {
      await sandbox.close();
    }
  }, 120_000);

  test('on SQLite with restarts, the sandbox behaves as the model', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'audience-sandbox-'));
    let files = 0;
    try {
      await agree(
        async () => {
          files += 1;
          const dataFile = join(folder, `${files}.db`);
          const real: Real = {
            sandbox: await startSandbox({ seed: SEED, dataFile, profile }),
            restart: async () => {
              const before = real.sandbox.clock.now();
              await real.sandbox.close();
              real.sandbox = await startSandbox({ seed: SEED, dataFile, profile });
              await call(real.sandbox, 'PUT', '/__sandbox/clock', {
                body: { time: new Date(before).toISOString(), stopped: true },
              });
            },
          };
          return real;
        },
        (real) => real.sandbox.close(),
        [fc.constant(new Restart())],
        Math.ceil(NUM_RUNS / 3),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 120_000);
});
