import type { Seed } from 'audience-sandbox';
import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { AUTO_MAPPED, bodyOf, emailParameters, locator, mapped, setUpForFile, writes } from './support.js';

const SEED: Seed = {
  designs: [
    { id: 'design-welcome', name: 'Welcome', subject: 'Hi {{firstName}}', body: '<p>{{planName}}</p>' },
    { id: 'design-order', name: 'Order: Receipt', subject: 'Thank you', body: '<p>Thank you</p>' },
  ],
  properties: [
    { name: 'teamSize', type: 'number', label: 'Team size' },
    { name: 'isTrialUser', type: 'boolean', label: 'Is trial user' },
    { name: 'companyName', type: 'string', label: 'Company name' },
    { name: 'trialEndsAt', type: 'date', label: 'Trial ends at' },
  ],
  subscriptionGroups: [{ id: 'group-news', name: 'News' }],
  contacts: [{ email: 'ada@example.com', userId: 'user-ada' }],
};

const setup = setUpForFile({ seed: SEED });

const ADA: IDataObject = { email: 'ada@example.com', firstName: 'Ada' };

type Value = NodeParameterValueType;

/** A place of the form: the node with `value` there, and the name that people see. */
interface Place {
  readonly name: string;
  readonly with: (value: Value) => INodeParameters;
}

function place(name: string, with_: (value: Value) => object): Place {
  return { name, with: (value) => ({ ...with_(value) }) };
}

const update = (more: object) => ({
  ...{ resource: 'contact', operation: 'update', contact: locator('email', 'ada@example.com') },
  ...more,
});
const event = (more: object) => ({
  ...{ resource: 'event', operation: 'send', eventName: 'signedUp', email: 'ada@example.com' },
  ...more,
});
const create = (more: object) => ({
  ...{ resource: 'contactProperty', operation: 'create', name: 'planName', type: 'string' },
  ...more,
});
const option = (name: string, field: string) =>
  place(field, (value) => ({ ...emailParameters(), options: { [name]: value } }));
const contactField = (name: string, label: string) =>
  place(label, (value) => update({ fields: { mappingMode: 'defineBelow', value: { [name]: value } } }));
const eventProperty = (type: string) =>
  place('when', (value) => event({ eventProperties: { property: [{ name: 'when', type, value }] } }));

const CONCURRENCY = option('concurrency', 'Items at Once');
const LIMIT = place('Limit', (limit) => ({ resource: 'email', operation: 'getAll', limit }));
const RETURN_ALL = place('Return All', (returnAll) => ({
  resource: 'email',
  operation: 'getAll',
  returnAll,
}));
const CUSTOM_ONLY = place('Custom Only', (customOnly) => ({
  ...{ resource: 'contactProperty', operation: 'getAll', customOnly },
}));
const SIMPLIFY = place('Simplify', (simplify) => ({
  ...{ resource: 'contact', operation: 'get', contact: 'ada@example.com', simplify },
}));
const AUDIENCE = place('Add to Audience', (addToAudience) => ({ ...emailParameters(), addToAudience }));
const IF_EXISTS = place('If It Exists', (ifExists) => create({ ifExists }));
const IF_NOT_FOUND = place('If Not Found', (ifNotFound) => ({
  ...{ resource: 'contact', operation: 'get', contact: 'ada@example.com', ifNotFound },
}));
const EMPTY_FIELDS = place('Empty Fields', (emptyFields) => update({ emptyFields }));
const JSON_VARIABLES = place('', (dataVariablesJson) => ({
  ...{ ...emailParameters(), specifyVariables: 'json', dataVariablesJson },
}));
const TO_EMAIL = place('To Email', (email) => ({ ...emailParameters(), email }));
const DESIGN = place('Email Design', (transactionalId) => ({ ...emailParameters(), transactionalId }));
const EVENT_NAME = place('Event Name', (eventName) => event({ eventName }));
const EVENT_EMAIL = place('Email', (email) => event({ email }));
const EVENT_USER = place('User ID', (userId) => event({ userId }));
const CONTACT = place('Contact', (contact) => ({ resource: 'contact', operation: 'get', contact }));
const PROPERTY_NAME = place('Name', (name) => create({ name }));
const PROPERTY_TYPE = place('Type', (type) => create({ type }));
const SPECIFY = place('Specify Properties', (specifyProperties) => event({ specifyProperties }));
const JSON_PROPERTIES = place('Event Properties (JSON)', (eventPropertiesJson) =>
  event({ specifyProperties: 'json', eventPropertiesJson }),
);
const SUBSCRIBE = place('Subscribe to Groups', (subscribeTo) => update({ subscribeTo }));
const KEPT_USER = place('User ID', (userId) => ({
  ...{ ...emailParameters(), addToAudience: true, contactFields: { userId } },
}));
const CONTACT_USER = place('User ID', (userId) =>
  update({ fields: { mappingMode: 'defineBelow', value: { userId } } }),
);
const CONTACT_EMAIL = place('Email', (email) =>
  update({
    contact: locator('userId', 'user-1'),
    fields: { mappingMode: 'defineBelow', value: { email } },
  }),
);
const VARIABLE = place('firstName', (firstName) => ({
  ...emailParameters(),
  dataVariables: { mappingMode: 'defineBelow', value: { firstName, planName: 'Free' } },
}));

const NO_NUMBERS: Value[] = [
  'x',
  '1,5',
  true,
  '={{ [1] }}',
  '={{ {} }}',
  '={{ $now }}',
  '={{ $json.none }}',
  '={{ NaN }}',
  '={{ 1/0 }}',
];
const NO_SWITCHES: Value[] = [
  'on',
  'ja',
  2,
  -1,
  '={{ $json.none }}',
  '={{ null }}',
  '={{ [] }}',
  '={{ {} }}',
  '={{ $now }}',
];
const TRIAL = contactField('trialEndsAt', 'Trial ends at');
const NO_TEXTS: Value[] = [
  '={{ [1] }}',
  '={{ {a: 1} }}',
  '={{ NaN }}',
  '={{ "" + undefined }}',
  '={{ "" + {} }}',
];

/** Place, value, and the code of the problem, with the form that is expected. */
const REFUSED: [Place, Value, string][] = [
  ...[0, -3, 1.5, 501, ...NO_NUMBERS].map((value): [Place, Value, string] => [CONCURRENCY, value, '']),
  ...[0, -5, 1.5, ...NO_NUMBERS].map((value): [Place, Value, string] => [LIMIT, value, '']),
  ...[AUDIENCE, RETURN_ALL, CUSTOM_ONLY, SIMPLIFY].flatMap((where) =>
    NO_SWITCHES.map((value): [Place, Value, string] => [where, value, '']),
  ),
  ...[SPECIFY, PROPERTY_TYPE, IF_EXISTS, IF_NOT_FOUND, EMPTY_FIELDS].flatMap((where) =>
    ['other', 'STOP', '={{ {} }}'].map((value): [Place, Value, string] => [where, value, 'misfit:one-of']),
  ),
  ...[EVENT_USER, KEPT_USER, CONTACT_USER, EVENT_NAME].flatMap((where): [Place, Value, string][] => [
    [where, '=user-{{ $json.id }}', 'no-identifier'],
    [where, "=user-{{ $json.id ?? '' }}", 'empty-part'],
    [where, "={{ 'user-' + $json.id }}", 'placeholder'],
    [where, "={{ `user-${$json.id ?? ''}` }}", 'placeholder'],
    [where, "={{ 'user-' + {} }}", 'placeholder'],
  ]),
  [TO_EMAIL, '={{ $json.nmae }}@x.org', 'no-identifier'],
  [DESIGN, locator('id', "={{ 'design-' + $json.language }}"), 'placeholder'],
  [
    place('Fields', () => update({ fields: { mappingMode: 'defineBelow', value: '={{ $json.none }}' } })),
    '',
    'no-value',
  ],
  ...[TO_EMAIL, EVENT_USER, VARIABLE, contactField('companyName', 'Company name')].map(
    (where): [Place, Value, string] => [where, '={{ $json.a b }}', 'expression-fails'],
  ),
  ...[TO_EMAIL, EVENT_EMAIL, CONTACT].map((where): [Place, Value, string] => [
    where,
    '=={{ $json.email }}',
    'misfit:address-without-equals-sign',
  ]),
  ...[TO_EMAIL, EVENT_NAME, EVENT_USER, VARIABLE, PROPERTY_NAME].map((where): [Place, Value, string] => [
    where,
    '={{ $json.email }}}}',
    'brace-left-over',
  ]),
  ...['ada@example.com, bo@example.com', 'ada@example.com;bo@example.com'].map(
    (value): [Place, Value, string] => [TO_EMAIL, value, 'misfit:one-address'],
  ),
  [TO_EMAIL, '={{ [$json.email, "bo@example.com"] }}', 'misfit:one-value'],
  ...['Ada <ada@example.com>', '<ada@example.com>'].map((value): [Place, Value, string] => [
    TO_EMAIL,
    value,
    'misfit:address-without-name',
  ]),
  ...[
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'mailto:ada@example.com',
    '"ada@example.com"',
    'ada@example,com',
    'ada@example.com,',
    'ada@example.com.',
    'ada@example..com',
    'ada@example.com\u200b',
    42,
    true,
  ].map((value): [Place, Value, string] => [TO_EMAIL, value, 'misfit']),
  ...[TO_EMAIL, EVENT_EMAIL, CONTACT, CONTACT_EMAIL].map((where): [Place, Value, string] => [
    where,
    '={{ "=ada@example.com" }}',
    'misfit:address-without-equals-sign',
  ]),
  ...(
    [
      ['   ', 'empty'],
      ['={{ $json.none }}', 'no-identifier'],
      ['={{ null }}', 'no-identifier'],
      ["={{ $json.none ?? '' }}", 'no-identifier'],
    ] as const
  ).flatMap(([value, says]): [Place, Value, string][] => [
    [TO_EMAIL, value, says],
    [EVENT_NAME, value, says],
    [PROPERTY_NAME, value, says],
    [DESIGN, locator('id', value), says],
    [CONTACT, locator('email', value), says],
  ]),
  ...[TO_EMAIL, EVENT_NAME, EVENT_EMAIL, EVENT_USER, KEPT_USER].flatMap((where) =>
    [...NO_TEXTS, '={{ "" + null }}'].map((value): [Place, Value, string] => [where, value, '']),
  ),
  ...NO_TEXTS.flatMap((value): [Place, Value, string][] => [
    [DESIGN, value, ''],
    [CONTACT, value, ''],
    [PROPERTY_NAME, value, ''],
  ]),
  [EVENT_EMAIL, 'ada at example', 'misfit'],
  [CONTACT, locator('email', 'ada'), 'misfit'],
  [CONTACT, locator('userId', '..'), 'misfit'],
  [CONTACT, locator('userId', 'properties'), 'misfit'],
  [DESIGN, locator('id', 'gone'), ''],
  ...['First Name', 'team_size', '1st', 'TeamSize', 'größe', 'a.b'].map((value): [Place, Value, string] => [
    PROPERTY_NAME,
    value,
    'misfit',
  ]),
  [PROPERTY_NAME, 'email', 'misfit'],
  [PROPERTY_NAME, 'createdAt', 'misfit'],
  ...['x', '1,5', true, '={{ [1] }}', '={{ {} }}', '={{ $now.toJSDate() }}', 'many', '0x10', '1 000'].map(
    (value): [Place, Value, string] => [contactField('teamSize', 'Team size'), value, 'misfit:number'],
  ),
  [contactField('teamSize', 'Team size'), '1.200', 'misfit:plain-number'],
  ...['maybe', 2, '={{ [] }}', '={{ {} }}'].map((value): [Place, Value, string] => [
    contactField('isTrialUser', 'Is trial user'),
    value,
    'misfit:boolean',
  ]),
  ...[
    '31/01/2026',
    '2026-02-30',
    '2026-13-01',
    'tomorrow',
    '2026-01-31T25:00',
    true,
    '={{ [] }}',
    '={{ {} }}',
  ].map((value): [Place, Value, string] => [TRIAL, value, 'misfit:date']),
  [TRIAL, 1_769_817_600_000, 'misfit:seconds'],
  [TRIAL, 1.5, 'misfit:date-not-day-number'],
  ...NO_TEXTS.slice(0, 3).map((value): [Place, Value, string] => [
    contactField('companyName', 'Company name'),
    value,
    '',
  ]),
  [contactField('subscribed', 'Subscribed'), true, 'misfit:only-false'],
  [contactField('subscribed', 'Subscribed'), 'yes', 'misfit:only-false'],
  [contactField('email', 'email'), 'bo@example.com', 'email-by-email'],
  [contactField('createdAt', 'Created At'), '2026-01-31', 'field-cannot-be-set'],
  [contactField('id', 'id'), '5', 'field-cannot-be-set'],
  [contactField('teamsize', 'teamsize'), 5, 'unknown-field'],
  [contactField('First Name', 'First Name'), 'Ada', 'unknown-field'],
  [contactField('companyName', 'Company name'), '={{ $json.none }}', 'no-value'],
  ...['x', '1,5', true, '={{ [1] }}', '={{ {} }}'].map((value): [Place, Value, string] => [
    eventProperty('number'),
    value,
    'misfit:number',
  ]),
  ...['maybe', 2].map((value): [Place, Value, string] => [eventProperty('boolean'), value, 'misfit:boolean']),
  ...['31/01/2026', '2026-02-30'].map((value): [Place, Value, string] => [
    eventProperty('date'),
    value,
    'misfit:date',
  ]),
  [eventProperty('auto'), '={{ NaN }}', 'not-a-number'],
  [eventProperty('auto'), '={{ $json.none }}', 'no-value'],
  [eventProperty('decimal'), '1', 'misfit:one-of'],
  ...[JSON_PROPERTIES, JSON_VARIABLES].flatMap((where) =>
    ['[]', '5', 'null', '{', '={{ [1] }}', '{"a": 1,}', '{a: 1}'].map((value): [Place, Value, string] => [
      where,
      value,
      'not-json',
    ]),
  ),
  [JSON_PROPERTIES, '={{ $json.none }}', 'no-value'],
  [JSON_PROPERTIES, '={"a": "{{ $json.none }}"}', 'no-value'],
  [JSON_VARIABLES, '{"firstName": "Ada"}', 'absent-in-json'],
  [JSON_VARIABLES, '{"firstName": null, "planName": "b"}', 'absent-in-json'],
  [JSON_PROPERTIES, '{"a":1,"a":2}', 'lossy-json'],
  [JSON_PROPERTIES, '{"order":9007199254740993}', 'lossy-json'],
  ...[
    EVENT_USER,
    KEPT_USER,
    VARIABLE,
    eventProperty('auto'),
    contactField('companyName', 'Company name'),
    option('idempotencyKey', 'Idempotency Key'),
  ].map((where): [Place, Value, string] => [where, '={{ 2 ** 53 }}', 'rounded-number']),
  ...['={{ {} }}', 5, true, '={{ [{}] }}', '={{ [null] }}'].map((value): [Place, Value, string] => [
    SUBSCRIBE,
    value,
    '',
  ]),
  [SUBSCRIBE, ['News'], 'unknown-group'],
  ...['', ' '].map((value): [Place, Value, string] => [VARIABLE, value, 'empty']),
  ...['={{ $json.none }}', '={{ null }}'].map((value): [Place, Value, string] => [
    VARIABLE,
    value,
    'no-value',
  ]),
  [VARIABLE, '={{ NaN }}', 'not-a-number'],
  [VARIABLE, '={{ new Date("x") }}', 'invalid-date'],
  [VARIABLE, '=Hello {{ $json.nmae }}, code {{ $json.firstName }}', 'no-value'],
  [VARIABLE, '=Hello {{ $json }}', 'object-in-text'],
  [VARIABLE, "=Hello {{ $json.none && 'x' }}", 'no-value'],
  [VARIABLE, "=Hello {{ $json.firstName === 'x' && 'x' }}", 'boolean-in-text'],
  [
    place('Subscribe to Groups', () =>
      update({ subscribeTo: ['group-news'], unsubscribeFrom: ['group-news'] }),
    ),
    '',
    'group-in-both',
  ],
  [
    place('total', () =>
      event({
        eventProperties: { property: ['1', '2'].map((value) => ({ name: 'total', type: 'auto', value })) },
      }),
    ),
    '',
    'given-twice',
  ],
  [
    place('property', () => event({ eventProperties: { property: [{ name: ' ', value: '1' }] } })),
    '',
    'no-property-name',
  ],
  [CONCURRENCY, 'many', 'misfit:whole-number'],
  [
    place('property', () => event({ specifyProperties: 'json', eventPropertiesJson: '{" ": 1}' })),
    '',
    'no-property-name',
  ],
  [place('signedUp', () => event({ email: '', userId: '' })), '', 'no-contact'],
];

/** Options that hold for all items. */
const OF_THE_RUN = new Set([CONCURRENCY]);

test('the table has enough cases', () => {
  expect(REFUSED.length).toBeGreaterThanOrEqual(150);
});

test.each(REFUSED.map(([where, value, code]) => [where.name, value, code, where] as const))(
  '%s: %j is refused',
  async (_name, value, code, where) => {
    const { error } = await setup.run(where.with(value), [ADA]);
    const { code: found, expected } = error?.context ?? {};
    expect([found, expected].filter(Boolean).join(':')).toMatch(code);
    if (!OF_THE_RUN.has(where)) expect(error?.itemIndex).toBe(0);
    expect(error?.message).not.toMatch(/transactionalId|dataVariables|userId|undefined is|\bat \w+\./);
    expect(error?.description).not.toBe('');
    expect(writes(setup.sandbox)).toEqual([]);
  },
);

/** What looks odd and can be read in one way only. */
const TAKEN: [Place, Value, (sent: Record<string, unknown>) => unknown, unknown][] = [
  [AUDIENCE, 'TRUE', (sent) => sent['addToAudience'], true],
  [AUDIENCE, '={{ 1 }}', (sent) => sent['addToAudience'], true],
  [AUDIENCE, '1', (sent) => sent['addToAudience'], true],
  [AUDIENCE, 'False', (sent) => sent['addToAudience'], undefined],
  [AUDIENCE, 'yes', (sent) => sent['addToAudience'], true],
  [AUDIENCE, 'No', (sent) => sent['addToAudience'], undefined],
  [contactField('isTrialUser', ''), 'yes', (sent) => sent['isTrialUser'], true],
  [contactField('isTrialUser', ''), 'n', (sent) => sent['isTrialUser'], false],
  [TO_EMAIL, ' ada@example.com\n', (sent) => sent['email'], 'ada@example.com'],
  [EVENT_USER, 42, (sent) => sent['userId'], '42'],
  [VARIABLE, 42, (sent) => sent['dataVariables'], { firstName: 42, planName: 'Free' }],
  [VARIABLE, 'Null', (sent) => sent['dataVariables'], { firstName: 'Null', planName: 'Free' }],
  [contactField('teamSize', ''), '1e3', (sent) => sent['teamSize'], 1000],
  [contactField('isTrialUser', ''), 'TRUE', (sent) => sent['isTrialUser'], true],
  [
    contactField('trialEndsAt', ''),
    '2026-01-31 00:00',
    (sent) => sent['trialEndsAt'],
    // In New York, the zone of the workflow.
    Date.UTC(2026, 0, 31, 5) / 1000,
  ],
  [contactField('companyName', ''), '={{ $now }}', (sent) => typeof sent['companyName'], 'string'],
  // What tells one person from another may look odd where the input says so.
  ...[
    ['=user-{{ "V1StG_" }}', 'user-V1StG_'],
    ['=+{{ 41791234567 }}', '+41791234567'],
    ['=crm-{{ "nullmeyer" }}', 'crm-nullmeyer'],
    ['={{ String($json.firstName) }}', 'Ada'],
  ].map(([value = '', due]): (typeof TAKEN)[number] => [EVENT_USER, value, (sent) => sent['userId'], due]),
  [TO_EMAIL, "={{ String('_' + $json.email).toLowerCase() }}", (sent) => sent['email'], '_ada@example.com'],
  [TO_EMAIL, "={{ ($json.test ? 'test+' : '') + $json.email }}", (sent) => sent['email'], 'ada@example.com'],
  // JavaScript's own joining of texts is not looked into.
  [
    VARIABLE,
    "={{ 'CHF ' + $json.none }}",
    (sent) => sent['dataVariables'],
    { firstName: 'CHF undefined', planName: 'Free' },
  ],
  [
    JSON_VARIABLES,
    '{"firstName": "", "planName": 5}',
    (sent) => sent['dataVariables'],
    { firstName: '', planName: 5 },
  ],
  [
    place('', () =>
      update({ fields: { mappingMode: 'defineBelow', value: '={{ ({companyName: "=A"}) }}' } }),
    ),
    '',
    (sent) => sent['companyName'],
    '=A',
  ],
  [SUBSCRIBE, 'group-news, group-news', (sent) => sent['subscriptionGroups'], { 'group-news': true }],
  [eventProperty('auto'), "={{ $json.none ?? '' }}", (sent) => sent['eventProperties'], undefined],
  [JSON_PROPERTIES, '', (sent) => sent['eventProperties'], undefined],
  [place('', () => update({ fields: AUTO_MAPPED })), '', (sent) => sent['firstName'], 'Ada'],
];

test.each(TAKEN.map(([where, value, of, due]) => [where.name, value, of, due, where] as const))(
  '%s: %j is accepted',
  async (_name, value, of, due, where) => {
    const { error } = await setup.run(where.with(value), [ADA]);
    expect(error).toBeUndefined();
    expect(of(bodyOf(writes(setup.sandbox)[0]))).toEqual(due);
  },
);

test('a wrong item stops the run before anything is sent for earlier items', async () => {
  const { error } = await setup.run(emailParameters(), [ADA, ADA, { ...ADA, email: 'not an address' }]);
  expect(error?.itemIndex).toBe(2);
  expect(writes(setup.sandbox)).toEqual([]);
});

test('an unknown contact is named', async () => {
  const { error } = await setup.run(
    update({ contact: locator('email', 'nobody@example.com'), fields: mapped({ source: 'shop' }) }),
    [ADA],
  );
  expect(error).toMatchObject({
    message: "Could not update contact 'nobody@example.com': not found (404) [item 0]",
    httpCode: '404',
  });
  expect(error?.description).toContain('Check the email address');
});

test('a User ID that looks like an email address is refused', async () => {
  for (const operation of ['get', 'unsubscribe', 'update']) {
    const contact = locator('userId', 'ada@example.com');
    const { error } = await setup.run({ resource: 'contact', operation, contact }, [ADA]);
    expect(error?.context).toMatchObject({ code: 'email-as-user-id', subject: { name: 'Contact' } });
  }
  expect(writes(setup.sandbox)).toEqual([]);
});

describe('a number that JavaScript cannot hold exactly', () => {
  const places = [EVENT_USER, KEPT_USER, CONTACT_USER, option('idempotencyKey', 'Idempotency Key')];
  const expression = '=order-{{ $json.order.id }}';

  test.each(places.map((where): [string, Place] => [where.name, where]))('%s', async (_name, where) => {
    const { error } = await setup.run(where.with(expression), [{ ...ADA, order: { id: 2 ** 53 } }]);
    expect(error?.context).toMatchObject({ code: 'rounded-number', part: ' $json.order.id ' });
    expect(writes(setup.sandbox)).toEqual([]);
    const told = await setup.run(where.with(expression), [{ ...ADA, order: { id: '9007199254740993' } }]);
    expect(told.error?.context['code']).not.toBe('rounded-number');
  });
});
