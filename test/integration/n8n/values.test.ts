import type { Seed } from 'audience-sandbox';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { AUTO_MAPPED, bodyOf, locator, mapped, setUpForFile, writes } from './support.js';
import type { RunOptions } from './support.js';

const SEED: Seed = {
  properties: [
    { name: 'teamSize', type: 'number', label: 'Team size' },
    { name: 'isTrialUser', type: 'boolean' },
    { name: 'companyName', type: 'string' },
    { name: 'trialEndsAt', type: 'date', label: 'Trial ends at' },
  ],
  contacts: [{ email: 'ada@example.com', userId: 'user-ada' }],
};

const setup = setUpForFile({ seed: SEED });

/** Midnight UTC of 31 January 2026. */
const MIDNIGHT = Date.UTC(2026, 0, 31) / 1000;

function update(fields: INodeParameters): INodeParameters {
  return {
    resource: 'contact',
    operation: 'update',
    contact: locator('email', 'ada@example.com'),
    fields,
  };
}

async function sent(fields: INodeParameters, json: IDataObject = {}, options: RunOptions = {}) {
  const { outcome, error } = await setup.run(update(fields), [json], options);
  expect(error).toBeUndefined();
  expect(outcome.status).toBe('success');
  return bodyOf(writes(setup.sandbox).at(-1));
}

/** The expressions that a message offers, for a column of that name. */
function formulasIn(text: string | null | undefined): string[] {
  return [...(text ?? '').matchAll(/\{\{.*?\}\}(?= (?:as|if) )/g)].map(([formula]) => `=${formula}`);
}

describe('a value that only people understand', () => {
  test.each([
    ['={"total": 12.5,}', 'There is a comma too many in front of a closing brace.'],
    ['={"total": 12.5 "nick": "Ada"}', 'There is a comma missing between two properties.'],
    ["={'total': 12.5}", 'Names and texts stand in straight double quotation marks.'],
    ['={total: 12.5}', 'Names and texts stand in straight double quotation marks.'],
    ['={“total”: 12.5}', 'Names and texts stand in straight double quotation marks.'],
    ['={"total": {{ $json.none }}, "a": 1}', "'total' has no value. The input has 'column'."],
    ['={"total": {{ $json.column }}}', 'A number has a dot for its decimals, such as 12.5.'],
  ])('a slip in a JSON is named: %s', async (eventPropertiesJson, says) => {
    const event = { resource: 'event', operation: 'send', eventName: 'ordered', email: 'ada@example.com' };
    const json = { specifyProperties: 'json', eventPropertiesJson };
    const { error } = await setup.run({ ...event, ...json }, [{ column: '12,50' }]);
    expect(error?.description).toContain(says);
  });

  test('a year by itself is no number of a day', async () => {
    const { error } = await setup.run(update(mapped({ trialEndsAt: '={{ $json.column }}' })), [
      { column: '2026' },
    ]);
    expect(error?.description).toContain('A year by itself is no date: write it as 2027-01-31.');
    expect(error?.description).not.toContain('25569');
  });

  test('a decimal point stays one where it separates no thousands, and the rest is said', async () => {
    const refused = await setup.run(update(mapped({ teamSize: '={{ $json.column }}' })), [{ column: '1,5' }]);
    const [formula = ''] = formulasIn(refused.error?.description);
    expect(refused.error?.description).toContain('1.250 becomes 1250');
    const json = await sent(mapped({ teamSize: formula }), { column: '0.125' });
    expect(json['teamSize']).toBe(0.125);
  });

  test.each([
    ['trialEndsAt', 46418, ['2027-01-31']],
    ['trialEndsAt', '31.01.2027', ['2027-01-31']],
    ['trialEndsAt', '31/1/2027', ['2027-01-31']],
    ['trialEndsAt', '1/31/2027', ['2027-01-31']],
    ['trialEndsAt', '02/03/2027', ['2027-03-02', '2027-02-03']],
    ['isTrialUser', 'Yes ', [true]],
    ['isTrialUser', 'no', [false]],
    ['teamSize', "1'200", [1200]],
    ['teamSize', '1,200', [1200, 1.2]],
    ['teamSize', '1,200,300', [1200300]],
    ['teamSize', '1,5', [1.5]],
    ['teamSize', '1.250,5', [1250.5]],
    ['teamSize', '-1.250,5', [-1250.5]],
    ['teamSize', '1 234,50', [1234.5]],
    ['teamSize', '-1,200', [-1200, -1.2]],
    ['teamSize', '1 200', [1200]],
    ['teamSize', '12,50 €', [12.5]],
    ['teamSize', 'CHF 12.50', [12.5]],
    ['teamSize', '1.234.567', [1234567]],
    ['trialEndsAt', '24.12.2026 10:05', ['2026-12-24T10:05Z']],
    ['trialEndsAt', '1/31/2027 9:30:15', ['2027-01-31T09:30:15Z']],
    ['trialEndsAt', '5 March 2027', ['2027-03-05']],
    ['trialEndsAt', ' 5 March 2027 ', ['2027-03-05']],
    ['trialEndsAt', '31.01.2027 ', ['2027-01-31']],
    ['trialEndsAt', '5 Mar 2027', ['2027-03-05']],
    ['trialEndsAt', 'May 5, 2027', ['2027-05-05']],
    ['trialEndsAt', 'Mar 5, 2027', ['2027-03-05']],
  ])('%s %p is refused with formulas that make %j of it', async (field, value, meant) => {
    const refused = await setup.run(update(mapped({ [field]: '={{ $json.column }}' })), [{ column: value }]);
    expect(writes(setup.sandbox)).toEqual([]);
    const formulas = formulasIn(refused.error?.description);
    expect(formulas).toHaveLength(meant.length);
    for (const [index, formula] of formulas.entries()) {
      const wanted = meant[index];
      const json = await sent(mapped({ [field]: formula }), { column: value });
      expect(json[field]).toBe(typeof wanted === 'string' ? Date.parse(wanted) / 1000 : wanted);
      // An empty cell stays empty, and what the formula cannot read either is refused.
      setup.sandbox.reset();
      const others = ['', 'perhaps'];
      for (const other of others) {
        const again = await setup.run(update(mapped({ [field]: formula })), [{ column: other }]);
        expect(again.error?.message).toMatch(other === '' ? /nothing to change/ : /must be/);
      }
      expect(writes(setup.sandbox)).toEqual([]);
      // A column may hold values of the type beside such texts.
      const ready = { teamSize: 0, isTrialUser: false, trialEndsAt: '2027-02-01' }[field] ?? '';
      const kept = await sent(mapped({ [field]: formula }), { column: ready });
      expect(kept[field]).toBe(typeof ready === 'string' ? Date.parse(ready) / 1000 : ready);
      setup.sandbox.reset();
    }
  });

  test.each(['1,200', '1,200,300', "1'200"])(
    'the formula for thousands in %s makes no other number of one that has none',
    async (column) => {
      const refused = await setup.run(update(mapped({ teamSize: '={{ $json.column }}' })), [{ column }]);
      const [formula = ''] = formulasIn(refused.error?.description);
      for (const other of ['12,5', "12'5", '1,2']) {
        const again = await setup.run(update(mapped({ teamSize: formula })), [{ column: other }]);
        expect(again.error?.message).toContain('must be a number');
      }
      expect(writes(setup.sandbox)).toEqual([]);
    },
  );

  test('the formula for a decimal comma makes no decimal point of a dot that separates thousands', async () => {
    const refused = await setup.run(update(mapped({ teamSize: '={{ $json.column }}' })), [{ column: '7,5' }]);
    const [formula = ''] = formulasIn(refused.error?.description);
    for (const [column, meant] of [
      ['7,5', 7.5],
      ['1.250', 1250],
      ['7.5', 7.5],
    ] as const) {
      expect((await sent(mapped({ teamSize: formula }), { column }))['teamSize']).toBe(meant);
      setup.sandbox.reset();
    }
  });

  test.each([
    [
      { teamSize: '12,5' },
      /^(?!.*column).*Write it with a dot for the decimals and no other sign, as 1234\.5\./,
    ],
    [{ teamSize: '=12,5' }, /^(?!.*column).*Write it with a dot/],
    [{ teamSize: '=$json.n' }, /an expression that was not evaluated/],
    [{ isTrialUser: 'yes' }, /^(?!.*column).*Write it as true or false\./],
    [{ trialEndsAt: '31.01.2027' }, /^(?!.*column).*Write it as 2027-01-31\./],
    [{ trialEndsAt: '2027' }, /looks like the day number or an empty cell of a spreadsheet, or a year/],
    [{ trialEndsAt: '31 January 2027' }, /Write it as 2027-01-31\./],
    [{ trialEndsAt: '2027-02-30' }, /No month has that day\./],
    [{ trialEndsAt: '1798675200000' }, /^(?!.*spreadsheet).*best written as 2027-01-31/s],
  ])('%p is refused with a way out', async (fields, words) => {
    const { error } = await setup.run(update(mapped(fields)), [{}]);
    expect(`${error?.message ?? ''} ${String(error?.description)}`).toMatch(words);
    expect(writes(setup.sandbox)).toEqual([]);
  });
});

test('a dot that may separate thousands is read as a decimal point, and that is told', async () => {
  const { hints } = await setup.run(update(mapped({ teamSize: '={{ $json.size }}' })), [
    { size: '1.200' },
    { size: '0.125' },
    { size: 1.2 },
  ]);
  expect(writes(setup.sandbox).map((one) => bodyOf(one)['teamSize'])).toEqual([1.2, 0.125, 1.2]);
  expect(hints).toEqual([
    "In 1 of 3 items (item 0), the contact field 'Team size' came as a text such as 1.200, whose dot was read as a decimal point, not as a thousands separator.",
  ]);
});

describe('values keep their types', () => {
  test('fixed, in a workflow without a stored schema', async () => {
    const fields = mapped({
      teamSize: 12,
      isTrialUser: false,
      companyName: 'Engines',
      trialEndsAt: MIDNIGHT,
    });
    expect(await sent(fields)).toEqual({
      teamSize: 12,
      isTrialUser: false,
      companyName: 'Engines',
      trialEndsAt: MIDNIGHT,
    });
  });

  test('from expressions', async () => {
    const fields = mapped({
      teamSize: '={{ $json.size }}',
      isTrialUser: '={{ $json.trial }}',
      companyName: '={{ $json.company }}',
      trialEndsAt: '={{ $json.end }}',
    });
    const json = { size: -3.5, trial: true, company: 'Engines', end: '2026-01-31' };
    expect(await sent(fields, json)).toEqual({
      teamSize: -3.5,
      isTrialUser: true,
      companyName: 'Engines',
      trialEndsAt: MIDNIGHT,
    });
  });

  test('as text, as forms, spreadsheets and language models give them', async () => {
    const fields = mapped({
      teamSize: '12',
      isTrialUser: 'TRUE',
      companyName: '={{ 42 }}',
      trialEndsAt: '2026-01-31',
    });
    expect(await sent(fields)).toEqual({
      teamSize: 12,
      isTrialUser: true,
      companyName: '42',
      trialEndsAt: MIDNIGHT,
    });
  });

  test('with a schema that the editor stored, types of the service win', async () => {
    const schema = [
      {
        id: 'teamSize',
        displayName: 'Team size',
        type: 'string',
        required: false,
        display: true,
        defaultMatch: false,
      },
    ];
    const fields = { ...mapped({ teamSize: '12' }), schema };
    expect(await sent(fields)).toEqual({ teamSize: 12 });
  });

  test('automatic mapping takes the fields that exist, with their types, and leaves the rest', async () => {
    const json = {
      teamSize: '7',
      companyName: 'Engines',
      note: 'not a property',
      nested: { a: 1 },
      trialEndsAt: '',
    };
    expect(await sent(AUTO_MAPPED, json)).toEqual({ teamSize: 7, companyName: 'Engines' });
  });

  test('an empty field stays as it is', async () => {
    const fields = mapped({
      teamSize: 1,
      companyName: '',
      trialEndsAt: null,
      isTrialUser: '={{ $json.missing }}',
    });
    expect(await sent(fields)).toEqual({ teamSize: 1 });
  });

  test('zero and false are values', async () => {
    expect(await sent(mapped({ teamSize: 0, isTrialUser: false }))).toEqual({
      teamSize: 0,
      isTrialUser: false,
    });
  });
});

describe('dates are the same in every time zone', () => {
  const inZone = (timezone: string): RunOptions => ({ workflowSettings: { timezone } });

  test.each(['Pacific/Kiritimati', 'America/New_York', 'UTC'])('%s', async (timezone) => {
    for (const text of [
      '2026-01-31',
      '2026-01-31T00:00:00',
      '2026-01-31 00:00',
      '2026-01-31T01:00:00+01:00',
    ]) {
      expect(await sent(mapped({ trialEndsAt: text }), {}, inZone(timezone))).toEqual({
        trialEndsAt: MIDNIGHT,
      });
    }
  });

  test('a point in time of an expression is that point in time', async () => {
    const fields = mapped({ trialEndsAt: "={{ DateTime.fromISO('2026-01-31T00:00:00Z') }}" });
    expect(await sent(fields, {}, inZone('Asia/Tokyo'))).toEqual({ trialEndsAt: MIDNIGHT });
    const date = mapped({ trialEndsAt: "={{ new Date('2026-01-31T00:00:00Z') }}" });
    expect(await sent(date, {}, inZone('Asia/Tokyo'))).toEqual({ trialEndsAt: MIDNIGHT });
  });
});

describe('a value that does not fit names item, field, value and what is expected, before anything is sent', () => {
  test.each([
    ['teamSize', 'many', "The contact field 'Team size' must be a number, such as 42 or -3.5, but is 'many'"],
    ['teamSize', true, "The contact field 'Team size' must be a number, such as 42 or -3.5, but is true"],
    ['isTrialUser', 'maybe', "The contact field 'Is trial user' must be true or false, but is 'maybe'"],
    ['trialEndsAt', '31/01/2026', "The contact field 'Trial ends at' must be a date, such as 2026-01-31"],
    ['trialEndsAt', '2026-02-30', "The contact field 'Trial ends at' must be a date, such as 2026-01-31"],
    ['trialEndsAt', MIDNIGHT * 1000, 'looks like milliseconds'],
    ['companyName', '={{ [1] }}', "The contact field 'Company name' must be text, not a list"],
  ])('%s: %s', async (name, value, message) => {
    const { error } = await setup.run(update(mapped({ [name]: value })), [{}]);
    expect(error?.message).toContain(message);
    expect(error?.message).toContain('[item 0]');
    expect(writes(setup.sandbox)).toEqual([]);
  });
});

test('event properties keep the type they come with, or get the one that is chosen', async () => {
  const property = [
    { name: 'total', type: 'auto', value: '={{ 49.9 }}' },
    { name: 'count', type: 'number', value: '3' },
    { name: 'gift', type: 'boolean', value: 'false' },
    { name: 'dueAt', type: 'date', value: '2026-01-31' },
    { name: 'note', type: 'auto', value: '17' },
  ];
  await setup.run({
    resource: 'event',
    operation: 'send',
    eventName: 'orderPlaced',
    userId: 'user-ada',
    specifyProperties: 'fields',
    eventProperties: { property },
  });
  expect(setup.sandbox.events()[0]?.eventProperties).toEqual({
    total: 49.9,
    count: 3,
    gift: false,
    dueAt: MIDNIGHT,
    note: '17',
  });
});

test('event properties as JSON', async () => {
  await setup.run({
    resource: 'event',
    operation: 'send',
    eventName: 'orderPlaced',
    email: 'ada@example.com',
    specifyProperties: 'json',
    eventPropertiesJson: '={{ { total: 49.9, gift: true } }}',
  });
  expect(setup.sandbox.events()[0]?.eventProperties).toEqual({ total: 49.9, gift: true });
});

test('fields to clear and subscription groups', async () => {
  const { error } = await setup.run({
    ...update(mapped({ companyName: 'Engines' })),
    additionalFields: { clear: ['teamSize', 'firstName'] },
  });
  expect(error).toBeUndefined();
  expect(bodyOf(writes(setup.sandbox)[0])).toEqual({
    companyName: 'Engines',
    teamSize: null,
    firstName: null,
  });
});

test('the email of a contact that is chosen by its User ID can be changed', async () => {
  const { error } = await setup.run({
    ...update(mapped({ email: 'countess@example.com' })),
    contact: locator('userId', 'user-ada'),
  });
  expect(error).toBeUndefined();
  expect(setup.sandbox.contacts()[0]?.email).toBe('countess@example.com');
});
