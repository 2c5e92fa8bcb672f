import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Seed } from 'audience-sandbox';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
  AUTO_MAPPED,
  bodyOf,
  emailParameters,
  locator,
  mapped,
  setUpForFile,
  writes,
  type RunOptions,
} from './support.js';

const SEED: Seed = {
  designs: [{ id: 'design-welcome', name: 'Welcome', subject: '{{firstName}}: {{planName}}' }],
  properties: [
    { name: 'teamSize', type: 'number', label: 'Team size' },
    { name: 'isTrialUser', type: 'boolean' },
    { name: 'companyName', type: 'string', label: 'Company name' },
    { name: 'trialEndsAt', type: 'date', label: 'Trial ends at' },
  ],
  contacts: [{ email: 'ada@example.com', userId: 'user-ada' }],
};

const setup = setUpForFile({ seed: SEED });

/** Midnight UTC of 31 January 2026. */
const MIDNIGHT = Date.UTC(2026, 0, 31) / 1000;

const inZone = (timezone: string): RunOptions => ({ workflowSettings: { timezone } });

const BY_EMAIL = locator('email', 'ada@example.com');
const BY_USER = locator('userId', 'user-ada');

function update(fields: INodeParameters): INodeParameters {
  return {
    resource: 'contact',
    operation: 'update',
    contact: BY_EMAIL,
    fields,
  };
}

const PERSON = { email: '={{ $json.email }}', eventName: 'imported' };
const EVENT = { ...PERSON, resource: 'event', operation: 'send' };
const UPSERT = { ...PERSON, resource: 'contact', operation: 'upsert' };

async function sent(fields: INodeParameters, json: IDataObject = {}, options: RunOptions = {}) {
  const { outcome, error } = await setup.run(update(fields), [json], options);
  expect(error).toBeUndefined();
  expect(outcome.status).toBe('success');
  return bodyOf(writes(setup.sandbox).at(-1));
}

describe('values keep their types', () => {
  const DUE = { teamSize: 0, isTrialUser: false, companyName: '42', trialEndsAt: MIDNIGHT };
  test.each<[string, INodeParameters]>([
    ['fixed', { ...DUE }],
    ['texts', { teamSize: '0', isTrialUser: 'FALSE', companyName: '42', trialEndsAt: '2026-01-31' }],
    [
      'expressions',
      {
        ...{ teamSize: '={{ $json.size }}', isTrialUser: '={{ $json.trial }}' },
        ...{ companyName: '={{ $json.company }}', trialEndsAt: '={{ $json.end }}' },
      },
    ],
  ])('%s, in a workflow without a stored schema', async (_way, fields) => {
    const json = { size: 0, trial: false, company: 42, end: '2026-01-31' };
    expect(await sent(mapped(fields), json)).toEqual(DUE);
  });

  test('types of the service win over a schema that the editor stored', async () => {
    const size = { id: 'teamSize', displayName: 'Team size', type: 'string' };
    const schema = [{ ...size, required: false, display: true, defaultMatch: false }];
    expect(await sent({ ...mapped({ teamSize: '12' }), schema })).toEqual({ teamSize: 12 });
  });
});

describe('a time without a zone is in the zone of the workflow', () => {
  const HOUR = 3600;

  test.each([
    ['Pacific/Kiritimati', -14],
    ['America/New_York', 5],
  ] as const)('%s', async (timezone, hours) => {
    const sentAs = async (text: string) => await sent(mapped({ trialEndsAt: text }), {}, inZone(timezone));
    for (const text of ['2026-01-31', '2026-01-31T01:00:00+01:00'])
      expect(await sentAs(text)).toEqual({ trialEndsAt: MIDNIGHT });
    // n8n's date picker writes the second one.
    for (const text of ['2026-01-31 00:00', '2026-01-31T00:00:00'])
      expect(await sentAs(text)).toEqual({ trialEndsAt: MIDNIGHT + hours * HOUR });
  });

  test.each(['DateTime.fromISO', 'new Date'])('a date object keeps its instant: %s', async (make) => {
    const fields = mapped({ trialEndsAt: `={{ ${make}('2026-01-31T00:00:00Z') }}` });
    expect(await sent(fields, {}, inZone('Asia/Tokyo'))).toEqual({ trialEndsAt: MIDNIGHT });
  });
});

/** Expressions of the README's section 'Values'. */
const CONVERSIONS = /\{\{ [^}]*(fromFormat|'excel')[^}]* \}\}/g;

test.each([
  ['the day number of a spreadsheet', 'date-not-day-number', 46_053, 'excel'],
  ['a date with slashes', 'date', '31/01/2026', 'fromFormat'],
])('the way out for %s gives the same day in each time zone', async (_what, expected, day, how) => {
  const readme = readFileSync(resolve(__dirname, '../../../n8n-nodes/README.md'), 'utf8');
  const way = readme.match(CONVERSIONS)?.find((one) => one.includes(how));
  const refused = await setup.run(update(mapped({ trialEndsAt: '={{ $json.day }}' })), [{ day }]);
  const subject = { kind: 'contact field', name: 'Trial ends at' };
  expect(refused.error?.context).toMatchObject({ code: 'misfit', subject, expected, itemIndex: 0 });
  expect(refused.error?.description).toContain("'Values' in the documentation");
  for (const timezone of ['America/New_York', 'Asia/Tokyo']) {
    const read = await sent(mapped({ trialEndsAt: `=${way}` }), { day }, inZone(timezone));
    expect(read).toEqual({ trialEndsAt: MIDNIGHT });
  }
});

test('event properties keep the type of their value, or get the chosen one; dates are Unix seconds', async () => {
  const when = "DateTime.fromISO('2026-01-31T00:00:00Z')";
  const lines = [{ name: 'Lamp', price: 12.5, tags: ['new'], annex: null }];
  const event = { resource: 'event', operation: 'send', eventName: 'orderPlaced', userId: 'user-ada' };
  const property = [
    { name: 'total', type: 'auto', value: '={{ 49.9 }}' },
    { name: 'note', type: 'auto', value: '17' },
    { name: 'lines', type: 'auto', value: '={{ $json.lines }}' },
    { name: 'when', type: 'auto', value: `={{ ${when} }}` },
    { name: 'count', type: 'number', value: '3' },
    { name: 'gift', type: 'boolean', value: 'false' },
    // In summer, by the clock of the workflow.
    { name: 'dueAt', type: 'date', value: '2026-07-01T09:00:00' },
  ];
  for (const properties of [
    { specifyProperties: 'fields', eventProperties: { property } },
    { specifyProperties: 'json', eventPropertiesJson: `={{ { lines: $json.lines, when: ${when} } }}` },
  ])
    await setup.run({ ...event, ...properties }, [{ lines }], inZone('America/New_York'));
  const dueAt = Date.UTC(2026, 6, 1, 13) / 1000;
  expect((await setup.sandbox.events()).map(({ properties }) => properties)).toEqual([
    { total: 49.9, note: '17', lines, when: MIDNIGHT, count: 3, gift: false, dueAt },
    { lines, when: MIDNIGHT },
  ]);
});

test('an empty field is kept, or cleared if chosen in the form; one without a value is never cleared', async () => {
  const computed = { companyName: '={{ $json.company }}', firstName: '={{ $json.name }}' };
  const fields = mapped({ ...computed, teamSize: '' });
  const rows = [{ company: 'Engines', name: null }, { name: 'Ada' }];
  await setup.run(update(fields), rows);
  expect(writes(setup.sandbox).map(bodyOf)).toEqual([{ companyName: 'Engines' }, { firstName: 'Ada' }]);
  setup.sandbox.reset();
  await setup.run({ ...update(fields), emptyFields: 'clear' }, rows);
  expect(writes(setup.sandbox).map(bodyOf)).toEqual([
    { companyName: 'Engines', teamSize: null, firstName: null },
    { teamSize: null, firstName: 'Ada' },
  ]);
});

test.each([
  [
    'contact fields',
    { contactFields: mapped({ companyName: '={{ $json.company }}' }) },
    "the contact field 'Company name'",
  ],
  ['an identifier', { userId: '={{ $json.userId }}' }, "'User ID'"],
  [
    'event properties',
    { eventProperties: { property: [{ name: 'phone', type: 'auto', value: '={{ $json.body.phone }}' }] } },
    "the event property 'phone'",
  ],
  [
    'JSON',
    { specifyProperties: 'json', eventPropertiesJson: '={{ $json.body.more }}' },
    "'Event Properties (JSON)'",
  ],
])(
  'an optional value that an item does not have is left out, beside others or alone: %s',
  async (_what, more, subject) => {
    const row = { email: 'ada@example.com' };
    const full = {
      ...row,
      userId: 'user-ada',
      company: 'Engines',
      body: { phone: '1', more: { phone: '1' } },
    };
    for (const [rows, lacking] of [
      [[row], '1 of 1 items (item 0)'],
      [[full, row, row], '2 of 3 items (items 1, 2)'],
    ] as const) {
      const { error, hints } = await setup.run({ ...EVENT, ...more }, [...rows]);
      expect(error).toBeUndefined();
      expect(hints).toEqual([`In ${lacking}, ${subject} had no value and was left out.`]);
    }
    expect(writes(setup.sandbox)).toHaveLength(4);
  },
);

test('with nothing to change the contact is read: one that does not exist is an error', async () => {
  const fields = mapped({ companyName: '={{ $json.company }}' });
  const { items, hints } = await setup.run(update(fields), [{ company: '' }, { company: 'Engines' }]);
  const [{ id } = {}] = await setup.sandbox.contacts();
  const updated = { success: true, id, contact: 'ada@example.com' };
  expect(items.map(({ json }) => json)).toEqual([updated, updated]);
  expect(hints).toEqual(['In 1 of 2 items (item 0), there was nothing to change.']);
  expect(writes(setup.sandbox)).toHaveLength(1);
  const nobody = { ...update(fields), contact: locator('email', 'nobody@example.com') };
  const { error } = await setup.run(nobody, [{ company: '' }]);
  expect(error).toMatchObject({ httpCode: '404', itemIndex: 0 });
});

test('the email of a contact that is chosen by its User ID can be changed', async () => {
  const changed = update(mapped({ email: 'countess@example.com' }));
  const { error } = await setup.run({ ...changed, contact: BY_USER });
  expect(error).toBeUndefined();
  expect((await setup.sandbox.contacts())[0]?.email).toBe('countess@example.com');
});

test('of an item, nothing goes out that no person has mapped', async () => {
  const row = { email: 'ada@example.com', firstName: 'Ada', headers: { cookie: 's=1' } };
  for (const event of [EVENT, UPSERT, { ...EVENT, contactFields: mapped({ lastName: 'Byron' }) }]) {
    const { error } = await setup.run(event, [row]);
    expect(error).toBeUndefined();
  }
  const named = { email: 'ada@example.com', eventName: 'imported' };
  expect(writes(setup.sandbox).map(bodyOf)).toEqual([named, named, { ...named, lastName: 'Byron' }]);
});

test.each([
  '={{ { firstName: $json.name, teamSize: "7" } }}',
  '={ "firstName": "{{ $json.name }}", "teamSize": "7" }',
])('Create or Update by JSON %s: values get the types of their properties', async (json) => {
  const upsert = { ...UPSERT, specifyContactFields: 'json', contactFieldsJson: json };
  const { error } = await setup.run(upsert, [{ email: 'ada@example.com', name: 'Ada' }]);
  expect(error).toBeUndefined();
  expect(bodyOf(writes(setup.sandbox)[0])).toMatchObject({ firstName: 'Ada', teamSize: 7 });
});

const byJson = (eventPropertiesJson: string) => ({
  ...EVENT,
  specifyProperties: 'json',
  eventPropertiesJson,
});
const ORDER = { property: [{ name: 'order', type: 'auto', value: '={{ $json }}' }] };
const VARIABLES = { firstName: "={{ $('Trigger').item.json }}", planName: 'Free' };
const REST = { mappingMode: 'defineBelow', value: '={{ (({ email, ...rest }) => rest)($json) }}' };

test.each<[INodeParameters, string[]]>([
  [byJson('={{ $json }}'), ["'Event Properties (JSON)' is a whole item, with 'email', 'teamSize'."]],
  [byJson('={{ { ...$json, email: undefined } }}'), ["is a whole item, with 'teamSize'."]],
  [byJson("={{ $('Trigger').item.json }}"), ["'email', 'teamSize'."]],
  [byJson('={{ { size: $json["teamSize"] } }}'), []],
  [{ ...EVENT, eventProperties: ORDER }, ["event property 'order' is a whole item, with"]],
  [emailParameters({}, VARIABLES), ["variable 'firstName' is a whole item, with"]],
  [update(REST), ["'Fields' is a whole item, with 'teamSize'."]],
])('a hint names the fields of a whole item, in any field: %j', async (parameters, due) => {
  const { error, hints } = await setup.run(parameters, [{ email: 'ada@example.com', teamSize: 5 }]);
  expect(error).toBeUndefined();
  expect(hints).toEqual(due.map((names): unknown => expect.stringContaining(names)));
});

const FOUND = { firstName: 'Bo' };

test.each<[string, INodeParameters, IDataObject, string, IDataObject]>([
  [
    'by Email',
    BY_EMAIL,
    { email: 'bo@example.com', userId: 'user-bo', ...FOUND },
    "'email', 'userId'",
    FOUND,
  ],
  [
    'by User ID',
    BY_USER,
    { email: 'bo@example.com', userId: 'user-bo', ...FOUND },
    "'email', 'userId'",
    FOUND,
  ],
  ['with the address that it is chosen by', BY_EMAIL, { email: 'ADA@example.com', ...FOUND }, '', FOUND],
  ['with empty columns', BY_EMAIL, { email: '', userId: '', ...FOUND }, '', FOUND],
  [
    'with other columns',
    BY_EMAIL,
    { ...FOUND, source: '', teamSize: '7', Unsubscribed: 'yes', Nested: { a: 1 }, Empty: '' },
    "'Unsubscribed', 'Nested'",
    { ...FOUND, source: null, teamSize: 7 },
  ],
])('Update by automatic mapping changes no identifier, and names unused columns: %s', async (...given) => {
  const [, contact, row, named, sentAs] = given;
  const parameters = { ...update(AUTO_MAPPED), contact, emptyFields: 'clear' };
  const { error, hints } = await setup.run(parameters, [row]);
  expect(error).toBeUndefined();
  expect(bodyOf(writes(setup.sandbox)[0])).toEqual(sentAs);
  const due = `In 1 of 1 items (item 0), ${named} of the input was not used: only contact fields are; map a new email or User ID by hand.`;
  expect(hints).toEqual(named === '' ? [] : [due]);
});

test('an identifier that is mapped by hand and has no value is left out, and never cleared', async () => {
  const fields = mapped({ userId: '={{ $json.userId }}', firstName: 'Ada' });
  for (const row of [{}, { userId: '' }, { userId: null }]) {
    const { error } = await setup.run({ ...update(fields), emptyFields: 'clear' }, [row]);
    expect(error).toBeUndefined();
    expect(bodyOf(writes(setup.sandbox).at(-1))).toEqual({ firstName: 'Ada' });
  }
});
