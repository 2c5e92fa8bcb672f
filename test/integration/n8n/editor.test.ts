import type { Seed } from 'audience-sandbox';
import { fieldsSetBy } from 'audience-core/internal';
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
  ],
};

const setup = setUpForFile({ seed: SEED });

const EMAIL = { resource: 'email', operation: 'send' };

describe('the list of email designs', () => {
  test('has pages, with each design once', async () => {
    const { n8n, credentials } = setup;
    const found = new Set<unknown>();
    let paginationToken: string | undefined;
    let pages = 0;
    do {
      const page = await n8n.listSearch(NODE_TYPE, 'searchEmails', EMAIL, {
        credentials,
        ...(paginationToken === undefined ? {} : { paginationToken }),
      });
      for (const { value } of page.results) found.add(value);
      paginationToken = typeof page.paginationToken === 'string' ? page.paginationToken : undefined;
      pages += 1;
    } while (paginationToken !== undefined);
    expect(found.size).toBe(2001);
    expect(pages).toBe(41);
  });

  test('a search finds a design on the last of 41 pages, by its name or its id', async () => {
    const { n8n, credentials } = setup;
    for (const filter of ['zebra', 'the-last']) {
      const { results } = await n8n.listSearch(NODE_TYPE, 'searchEmails', EMAIL, { credentials, filter });
      expect(results).toEqual([{ name: 'Zebra report', value: 'the-last-one' }]);
    }
  });

  test('a wrong key is reported in the list', async () => {
    const credentials = { audienceApi: { baseUrl: setup.sandbox.url, apiKey: 'wrong' } };
    await expect(setup.n8n.listSearch(NODE_TYPE, 'searchEmails', EMAIL, { credentials })).rejects.toThrow(
      /does not accept the API key \(401\)/,
    );
  });
});

describe('the variables of a design', () => {
  const variables = async (value: string) =>
    await setup.n8n.resourceMapping(
      NODE_TYPE,
      'getEmailVariables',
      { ...EMAIL, transactionalId: locator('list', value) },
      { credentials: setup.credentials },
    );

  test.each([
    ['', [], 'Choose an email design first'],
    ['gone', [], "There is no email design 'gone'"],
    ['design-1', [], "'Design 1' has no variables"],
    ['the-last-one', ['stripes', 'owner'], ': stripes, owner.'],
  ])('of %j, with a notice that also automatic mapping shows', async (design, names, notice) => {
    const { fields, emptyFieldsNotice } = await variables(design);
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
      const { n8n, credentials } = setup;
      await expect(
        n8n.resourceMapping(NODE_TYPE, 'getEmailVariables', filledIn, { credentials }),
      ).rejects.toThrow(/email design/);
    },
  );
});

test('the editor reads the variables anew when the node is opened', () => {
  const { properties } = setup.n8n.nodeType(NODE_TYPE).description;
  const mapper = properties.find(({ name }) => name === 'dataVariables')?.typeOptions?.resourceMapper;
  expect(mapper?.refreshStaleSchemaOnOpen).toBe(true);
});

describe('contact fields', () => {
  test('built-in fields come first, custom ones follow by label with their types', async () => {
    const { fields } = await setup.n8n.resourceMapping(
      NODE_TYPE,
      'getContactUpdateFields',
      { resource: 'contact', operation: 'update' },
      { credentials: setup.credentials },
    );
    const table = fieldsSetBy('updateContact').filter((name) => name !== 'subscriptionGroups');
    expect(fields.map(({ id }) => id)).toEqual([
      ...table,
      ...['companyName', 'isTrialUser', 'teamSize', 'trialEndsAt'],
    ]);
    expect(fields.slice(table.length).map(({ type }) => type)).toEqual([
      'string',
      'boolean',
      'number',
      'dateTime',
    ]);
    expect(fields.find(({ id }) => id === 'subscribed')?.options).toEqual([
      { name: 'Unsubscribed', value: false },
    ]);
  });

  test('of an event have names and custom properties', async () => {
    const { fields } = await setup.n8n.resourceMapping(
      NODE_TYPE,
      'getEventContactFields',
      { resource: 'event', operation: 'send' },
      { credentials: setup.credentials },
    );
    const table = fieldsSetBy('sendEvent').filter(
      (name) => !['email', 'userId', 'subscriptionGroups'].includes(name),
    );
    expect(fields.map(({ id }) => id).slice(0, table.length + 1)).toEqual([...table, 'companyName']);
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
  const UPDATE = { resource: 'contact', operation: 'update' };
  const EVENT = { resource: 'event', operation: 'send' };
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
    const { n8n, credentials } = setup;
    await expect(n8n.resourceMapping(NODE_TYPE, method, parameters, { credentials })).rejects.toThrow(
      /the service failed \(503\)/,
    );
    const mappers = n8n
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

  test('getSubscriptionGroups reports the reason', async () => {
    const { n8n, credentials } = setup;
    await expect(
      n8n.loadOptions(NODE_TYPE, 'getSubscriptionGroups', UPDATE, { credentials }),
    ).rejects.toThrow(/the service failed \(503\)/);
  });
});

test('subscription groups are listed by name', async () => {
  const options = await setup.n8n.loadOptions(
    NODE_TYPE,
    'getSubscriptionGroups',
    { resource: 'contact', operation: 'update' },
    { credentials: setup.credentials },
  );
  expect(options).toEqual([
    { name: 'News', value: 'group-1', description: '' },
    { name: 'Updates', value: 'group-2', description: 'What changed' },
  ]);
});
