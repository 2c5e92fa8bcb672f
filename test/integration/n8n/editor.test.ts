import type { Seed } from 'audience-sandbox';
import { fieldsSetBy } from 'audience-core/internal';
import type { INodeParameters } from 'n8n-workflow';
import { emailParameters, locator, mapped, NODE_TYPE, people, setUpForFile } from './support.js';

const SEED: Seed = {
  designs: [
    ...Array.from({ length: 2000 }, (_, index) => ({ id: `design-${index}`, name: `Design ${index}` })),
    { id: 'the-last-one', name: 'Zebra report', subject: '{{stripes}} of {{owner}}' },
  ],
  subscriptionGroups: [
    { id: 'group-2', name: 'Updates', description: 'What changed' },
    { id: 'group-1', name: 'News' },
  ],
  properties: [
    { name: 'trialEndsAt', type: 'date', label: 'Trial ends at' },
    { name: 'teamSize', type: 'number', label: 'Team size' },
    { name: 'isTrialUser', type: 'boolean', label: 'Is trial user' },
    { name: 'companyName', type: 'string', label: 'Company name' },
    // An event has a field of its own with this name.
    { name: 'eventName', type: 'string', label: 'Event name' },
  ],
};

const setup = setUpForFile({ seed: SEED });

const EMAIL = { resource: 'email', operation: 'send' };
const UPDATE = { resource: 'contact', operation: 'update' };
const EVENT = { resource: 'event', operation: 'send' };

const inEditor = (parameters: INodeParameters) =>
  setup.n8n.inEditor(NODE_TYPE, parameters, setup.credentials);
async function fieldsOf(method: string, parameters: INodeParameters) {
  const { methods, context } = inEditor(parameters);
  return (await methods.resourceMapping?.[method]?.call(context)) ?? { fields: [] };
}
async function groups() {
  const { methods, context } = inEditor(UPDATE);
  return await methods.loadOptions?.['getSubscriptionGroups']?.call(context);
}
async function designs(filter?: string, token?: string) {
  const { methods, context } = inEditor(EMAIL);
  return (await methods.listSearch?.['searchEmails']?.call(context, filter, token)) ?? { results: [] };
}

describe('the list of email designs', () => {
  test('has pages, with each design once', async () => {
    const pages = [await designs()];
    for (let token = pages[0]?.paginationToken; token !== undefined; token = pages.at(-1)?.paginationToken)
      pages.push(await designs(undefined, token));
    expect(new Set(pages.flatMap(({ results }) => results.map(({ value }) => value))).size).toBe(2001);
    expect(pages).toHaveLength(41);
  });

  test.each(['zebra', 'the-last'])('a search finds a design on the last of 41 pages: %s', async (filter) => {
    expect((await designs(filter)).results).toEqual([{ name: 'Zebra report', value: 'the-last-one' }]);
  });
});

describe('the variables of a design', () => {
  test.each([
    ['', [], 'Choose an email design first'],
    ['gone', [], "There is no email design 'gone'"],
    ['design-1', [], "'Design 1' has no variables"],
    ['the-last-one', ['stripes', 'owner'], ': stripes, owner.'],
  ])('of %j, with a notice that also automatic mapping shows', async (design, names, notice) => {
    const parameters = { ...EMAIL, transactionalId: locator('list', design) };
    const { fields, emptyFieldsNotice } = await fieldsOf('getEmailVariables', parameters);
    expect(fields.map(({ id, type }) => [id, type])).toEqual(names.map((name) => [name, 'string']));
    expect(emptyFieldsNotice).toContain(notice);
  });

  test.each(['gone', null])(
    'the editor does not clear entered values while the design is %s',
    async (value) => {
      const filledIn = {
        ...EMAIL,
        transactionalId: { __rl: true, mode: 'id', value },
        dataVariables: mapped({ owner: 'Ada' }),
      };
      await expect(fieldsOf('getEmailVariables', filledIn)).rejects.toThrow(/email design/);
    },
  );
});

test.each([
  ['a new variable', ['plan', 'owner'], { plan: 'Pro' }, 'unlisted', [], ''],
  [
    'one that is gone',
    ['owner'],
    { plan: 'Pro', owner: 'Ada' },
    undefined,
    [{ owner: 'Ada' }],
    "'plan' was not sent",
  ],
] as const)(
  'a changed design is seen when the node is opened, and nothing wrong is sent before: %s',
  async (_what, names, stored, code, sent, hint) => {
    const { n8n, sandbox } = setup;
    const { properties } = n8n.nodeType(NODE_TYPE).description;
    const mapper = properties.find(({ name }) => name === 'dataVariables')?.typeOptions?.resourceMapper;
    expect(mapper?.refreshStaleSchemaOnOpen).toBe(true);
    const parameters = { ...emailParameters(), transactionalId: locator('list', 'news') };
    for (const variables of [['plan'], names]) {
      const subject = variables.map((name) => `{{${name}}}`).join(' ');
      sandbox.load({ designs: [{ id: 'news', name: 'News', subject }] });
      const { fields } = await fieldsOf('getEmailVariables', parameters);
      expect(fields.map(({ id }) => id)).toEqual(variables);
    }
    const { error, hints } = await setup.run({ ...parameters, dataVariables: mapped(stored) }, people(1));
    expect(error?.context['code']).toBe(code);
    expect((await sandbox.emails()).map(({ variables }) => variables)).toEqual(sent);
    expect(hints.join()).toContain(hint);
    sandbox.load(SEED);
  },
);

describe('contact fields', () => {
  test('built-in fields come first, custom ones follow by label with their types', async () => {
    const { fields } = await fieldsOf('getContactUpdateFields', UPDATE);
    const table = fieldsSetBy('updateContact').filter((name) => name !== 'subscriptionGroups');
    expect(fields.slice(0, table.length).map(({ id }) => id)).toEqual(table);
    expect(fields.slice(table.length).map(({ id, type }) => [id, type])).toEqual([
      ['companyName', 'string'],
      ['eventName', 'string'],
      ['isTrialUser', 'boolean'],
      ['teamSize', 'number'],
      ['trialEndsAt', 'dateTime'],
    ]);
    const subscribed = fields.find(({ id }) => id === 'subscribed');
    expect(subscribed?.options).toEqual([{ name: 'Unsubscribed', value: false }]);
  });

  test('of an event have names and custom properties', async () => {
    const { fields } = await fieldsOf('getEventContactFields', EVENT);
    const own = ['email', 'userId', 'subscriptionGroups'];
    const table = fieldsSetBy('sendEvent').filter((name) => !own.includes(name));
    expect(fields.map(({ id }) => id).slice(0, table.length + 2)).toEqual([
      ...[...table, 'companyName', 'isTrialUser'],
    ]);
  });

  test('of an email have the same table', () => {
    const { properties } = setup.n8n.nodeType(NODE_TYPE).description;
    const names = properties
      .filter(({ name, type }) => name === 'contactFields' && type === 'collection')
      .flatMap(({ options = [] }) => options.map(({ name }) => name));
    const table = fieldsSetBy('sendTransactionalEmail').filter(
      (name) => !['email', 'subscriptionGroups'].includes(name),
    );
    expect(new Set(names)).toEqual(new Set(table));
  });
});

describe('while the service is down', () => {
  const EMAIL_WITH_DESIGN = { ...EMAIL, transactionalId: locator('list', 'the-last-one') };
  beforeEach(() => {
    setup.sandbox.faults.next({ every: 1, respond: { status: 503 } });
  });
  afterEach(() => {
    setup.sandbox.faults.clear();
  });

  test.each([
    ['getEmailVariables', EMAIL_WITH_DESIGN],
    ['getContactUpdateFields', UPDATE],
    ['getEventContactFields', EVENT],
  ])('%s fails with a correct notice', async (method, parameters) => {
    await expect(fieldsOf(method, parameters)).rejects.toThrow(/the service failed \(503\)/);
    const mappers = setup.n8n
      .nodeType(NODE_TYPE)
      .description.properties.flatMap(({ typeOptions }) => typeOptions?.resourceMapper ?? []);
    const shown = mappers.filter(({ resourceMapperMethod }) => resourceMapperMethod === method);
    expect(shown.length).toBeGreaterThan(0);
    for (const { noFieldsError, hideNoDataError } of shown) {
      expect(noFieldsError).toMatch(/loaded\..*[Cc]heck the credential/);
      // With it the section would vanish, and the editor's link to try again with it.
      expect(hideNoDataError).toBeUndefined();
    }
  });

  test('the lists report the reason', async () => {
    await expect(groups()).rejects.toThrow(/the service failed \(503\)/);
    await expect(designs()).rejects.toThrow(/the service failed \(503\)/);
  });
});

test('subscription groups are listed by name', async () => {
  expect(await groups()).toEqual([
    { name: 'News', value: 'group-1', description: '' },
    { name: 'Updates', value: 'group-2', description: 'What changed' },
  ]);
});
