import assert from 'node:assert/strict';
import type { Seed } from 'audience-sandbox';
import type { ContactArgs, ContactPropertyArgs, ContactsArgs } from 'pulumi-audience';
import type { Scenario, World } from './world.js';

/** How a program says which changes it ignores, each with what it says of an input. */
const WAYS = ['option', 'all', 'path', 'transformation'] as const;

type Change = readonly [from: string, to: string, path?: string];
type Changes<Args> = Readonly<Record<keyof Args, Change>>;

/** Each input with a value, another one, and a path within it. JavaScript, as a program has it. */
const INPUTS: {
  readonly ContactProperty: Changes<ContactPropertyArgs>;
  readonly Contact: Changes<ContactArgs>;
  readonly Contacts: Changes<ContactsArgs>;
} = {
  ContactProperty: {
    name: [`key`, `key + 'x'`],
    type: [`'string'`, `'number'`],
  },
  Contact: {
    email: [`email`, `'new-' + email`],
    userId: [`user`, `'new-' + user`],
    firstName: [`'A'`, `'B'`],
    lastName: [`'A'`, `pulumi.secret('B')`],
    source: [`'A'`, `'B'`],
    subscribed: [`undefined`, `false`],
    subscriptionGroups: [`{ news: true }`, `{ news: false }`, 'subscriptionGroups.news'],
    properties: [`{ plan: 'A' }`, `{ plan: 'B' }`, 'properties.plan'],
    clear: [`undefined`, `['firstName']`],
    createWithEvent: [`{ eventName: 'a' }`, `{ eventName: 'b' }`, 'createWithEvent.eventName'],
  },
  Contacts: {
    file: [`file`, `'other.csv'`],
    contacts: [`[{ email, firstName: 'A' }]`, `[{ email, firstName: 'B' }]`, 'contacts[0].firstName'],
    columns: [
      `{ email: 'email', name: 'firstName', endsAt: 'endsAt' }`,
      `{ email: 'email', name: 'lastName', endsAt: 'endsAt' }`,
      'columns.name',
    ],
    consent: [`'mail'`, `'no mail'`],
    encoding: [`'utf-8'`, `'utf-16le'`],
    nullValues: [`['-']`, `['A']`],
    dateFormat: [`{ endsAt: 'dd/MM/yyyy' }`, `{ endsAt: 'MM/dd/yyyy' }`, 'dateFormat.endsAt'],
    maxRemovals: [`5`, `6`],
    createWithEvent: [`{ eventName: 'a' }`, `{ eventName: 'b' }`, 'createWithEvent.eventName'],
  },
};

interface Case {
  readonly type: string;
  readonly name: string;
  readonly way: (typeof WAYS)[number];
  readonly input: string;
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

const CASES = Object.entries(INPUTS).flatMap(([type, inputs]) =>
  Object.entries<Change>(inputs).flatMap(([input, [from, to, path]]) =>
    WAYS.filter((way) => way !== 'path' || path !== undefined).map((way): Case => ({
      type,
      name: `${type}-${input}-${way}`,
      way,
      input,
      path: path ?? input,
      from,
      to,
    })),
  ),
);

/** What a resource needs beside the input that changes. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ContactProperty: { name: 'key', type: `'string'` },
  Contact: { email: 'email', userId: 'user', firstName: `'A'` },
  Contacts: {
    file: 'file',
    consent: `'mail'`,
    columns: `{ email: 'email', name: 'firstName', endsAt: 'endsAt' }`,
    dateFormat: `{ endsAt: 'dd/MM/yyyy' }`,
  },
};

const personOf = ({ name }: Case): string => `${name.toLowerCase()}@example.com`;

/** Changes beside an ignored path. */
const besideOf = (name: 'A' | 'B'): string => `
  const rows = ['ada', 'bob'].map((one) => ({ email: one + '@example.com', firstName: '${name}' }));
  new Contacts('rows', { contacts: rows }, { ignoreChanges: ['contacts[0].firstName'] });
  new Contact('fields', { email: 'cleo@example.com', firstName: '${name}', properties: { plan: '${name}' } },
    { ignoreChanges: ['properties.plan'] });`;
const BESIDE = ['bob@example.com', 'cleo@example.com'].map(
  (email) => `PUT /v1/contacts/${email} {"firstName":"B"} 200`,
);

/** The text of a secret differs whenever it is encrypted. */
function shown(value: unknown): string {
  return JSON.stringify(value, (name, inner: unknown) => (name === 'ciphertext' ? '' : inner));
}

const SEED: Seed = {
  properties: [
    { name: 'plan', type: 'string' },
    { name: 'endsAt', type: 'date' },
  ],
  subscriptionGroups: [{ id: 'news', name: 'News' }],
  contacts: [
    ...CASES.map((one) => ({ email: personOf(one), userId: one.name })),
    ...['ada', 'bob', 'cleo'].map((name) => ({ email: `${name}@example.com` })),
  ],
};

/** Every resource stands beside one of a provider that only keeps the inputs which it is given. */
function programOf(side: 'from' | 'to'): string {
  const resources = CASES.map((one) => {
    const { type, name, way, input, path, [side]: changing } = one;
    const isArray = type === 'Contacts' && input === 'contacts';
    const inputs = isArray ? {} : OTHERS[type];
    const all = Object.entries({ ...inputs, [input]: changing }).map(([key, value]) => `${key}: ${value}`);
    const ignored = way === 'all' ? ['*'] : [way === 'path' ? path : input];
    const opts = way === 'transformation' ? '' : `, { ignoreChanges: ${JSON.stringify(ignored)} }`;
    return `{
      const [email, user, key, file] = ['${personOf(one)}', '${name}', 'p${name.replaceAll('-', '')}', '${name}.csv'];
      const inputs = { ${all.join(', ')} };
      new ${type}('${name}', { ...inputs }${opts});
      new Kept('kept-${name}', { ...inputs }${opts});
    }`;
  });
  return `
    const kept = {
      check: async (olds, inputs) => ({ inputs }),
      diff: async (id, olds, news) => ({ changes: JSON.stringify(olds) !== JSON.stringify(news) }),
      create: async (outs) => ({ id: 'kept', outs }),
      update: async (id, olds, outs) => ({ outs }),
    };
    class Kept extends pulumi.dynamic.Resource { constructor(name, inputs, opts) { super(kept, name, inputs, opts); } }
    pulumi.runtime.registerStackTransformation(({ name, props, opts }) => {
      const [, input] = /-(\\w+)-transformation$/.exec(name) ?? [];
      return input === undefined ? undefined : { props, opts: pulumi.mergeOptions(opts, { ignoreChanges: [input] }) };
    });
    ${resources.join('')}
    ${besideOf(side === 'from' ? 'A' : 'B')}`;
}

/** What state holds of the declared inputs of each resource. */
async function inputsOf({ stack }: World): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const resources = await stack.resources();
  return new Map(resources.map(({ urn, inputs }) => [urn.split('::').at(-1) ?? '', inputs]));
}

export const ignored: readonly Scenario[] = [
  {
    name: 'ignoreChanges of every input, by option, for all, by path and by transformation: as any provider has it',
    seed: SEED,
    async play(world) {
      const save = (one: Case, firstName: string): Promise<void> =>
        world.save(`${one.name}.csv`, ['email,name,endsAt', `${personOf(one)},${firstName},05/01/2024`]);
      for (const one of CASES) await save(one, 'A');
      await world.save('other.csv', ['email,firstName', 'nobody@example.com,B']);
      await world.program(programOf('from'));
      await world.up();
      const before = await inputsOf(world);
      world.calls();
      await world.program(programOf('to'));
      // An ignored file is not read.
      for (const one of CASES) if (one.input === 'file') await save(one, 'B');
      const { failed, log, summary: planned } = await world.stack.preview();
      assert.deepEqual([failed, planned.update, planned.replace], [false, 2, 0], log.join('\n'));
      const { summary } = await world.up();
      assert.deepEqual([summary.update, summary.replace, world.writes().sort()], [2, 0, BESIDE]);
      const after = await inputsOf(world);
      for (const { name, input } of CASES)
        for (const one of [name, `kept-${name}`])
          assert.equal(shown(after.get(one)?.[input]), shown(before.get(one)?.[input]), `${one}: ${input}`);
    },
  },
];
