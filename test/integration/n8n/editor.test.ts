import type { Seed } from 'audience-sandbox';
import { fieldsSetBy } from 'audience-core/internal';
import type { INodeParameters } from 'n8n-workflow';
import { locator, mapped, NODE_TYPE, setUpForFile } from './support.js';

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

test('a changed design is seen when the node is opened', async () => {
  const { properties } = setup.n8n.nodeType(NODE_TYPE).description;
  const mapper = properties.find(({ name }) => name === 'dataVariables')?.typeOptions?.resourceMapper;
  expect(mapper?.refreshStaleSchemaOnOpen).toBe(true);
  // With it the section would vanish, and the editor's link to try again with it.
  expect(mapper?.hideNoDataError).toBeUndefined();
  expect(mapper?.noFieldsError).toMatch(/^No variables loaded\..*check the credential/);
  const parameters = { ...EMAIL, transactionalId: locator('list', 'news') };
  for (const variable of ['plan', 'owner']) {
    setup.sandbox.load({ designs: [{ id: 'news', name: 'News', subject: `{{${variable}}}` }] });
    const { fields } = await fieldsOf('getEmailVariables', parameters);
    expect(fields.map(({ id }) => id)).toEqual([variable]);
  }
  setup.sandbox.load(SEED);
});

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
    const [subscribed] = fields.filter(({ id }) => id === 'subscribed');
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

test.each<[string, () => Promise<unknown>]>([
  ['variables', () => fieldsOf('getEmailVariables', { ...EMAIL, transactionalId: locator('list', 'x') })],
  ['fields of an update', () => fieldsOf('getContactUpdateFields', UPDATE)],
  ['fields of an event', () => fieldsOf('getEventContactFields', EVENT)],
  ['groups', groups],
  ['designs', designs],
])('while the service is down, the reason is reported: %s', async (_what, ask) => {
  setup.sandbox.faults.next({ every: 1, respond: { status: 503 } });
  await expect(ask()).rejects.toThrow(/the service failed \(503\)/);
});

test('subscription groups are listed by name', async () => {
  expect(await groups()).toEqual([
    { name: 'News', value: 'group-1', description: '' },
    { name: 'Updates', value: 'group-2', description: 'What changed' },
  ]);
});
