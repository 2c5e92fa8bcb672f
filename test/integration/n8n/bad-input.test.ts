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

/** Place, value, and what is said beside the name of the place. */
const REFUSED: [Place, Value, string][] = [
  ...[0, -3, 1.5, 501, ...NO_NUMBERS].map((value): [Place, Value, string] => [CONCURRENCY, value, '']),
  ...[0, -5, 1.5, ...NO_NUMBERS].map((value): [Place, Value, string] => [LIMIT, value, '']),
  ...[AUDIENCE, RETURN_ALL, CUSTOM_ONLY, SIMPLIFY].flatMap((where) =>
    NO_SWITCHES.map((value): [Place, Value, string] => [where, value, '']),
  ),
  ...[SPECIFY, PROPERTY_TYPE, IF_EXISTS, IF_NOT_FOUND, EMPTY_FIELDS].flatMap((where) =>
    ['other', 'STOP', '={{ {} }}'].map((value): [Place, Value, string] => [where, value, 'must be one of']),
  ),
  ...[EVENT_USER, KEPT_USER, CONTACT_USER, EVENT_NAME].flatMap((where): [Place, Value, string][] => [
    [where, '=user-{{ $json.id }}', '{{ $json.id }} has no value'],
    [where, "=user-{{ $json.id ?? '' }}", "{{ $json.id ?? '' }} is empty"],
    [where, "={{ 'user-' + $json.id }}", "is 'user-undefined', in which a value is missing"],
    [where, "={{ `user-${$json.id ?? ''}` }}", "a part of 'user-' is empty"],
    [where, "={{ 'user-' + {} }}", "is 'user-[object Object]', in which a value is missing"],
  ]),
  [TO_EMAIL, '={{ $json.nmae }}@x.org', '{{ $json.nmae }} has no value'],
  [
    DESIGN,
    locator('id', "={{ 'design-' + $json.language }}"),
    "is 'design-undefined', in which a value is missing",
  ],
  [eventProperty('auto'), "={{ 'order ' + $json.no }}", "is 'order undefined'"],
  [eventProperty('string'), "={{ $json.no + ' seats' }}", "is 'undefined seats'"],
  [contactField('companyName', 'Company name'), "={{ 'x ' + $json.no }}", "is 'x undefined'"],
  [
    place('Fields', () => update({ fields: { mappingMode: 'defineBelow', value: '={{ $json.none }}' } })),
    '',
    '{{ $json.none }} has no value',
  ],
  [VARIABLE, "={{ 'CHF ' + $json.no }}", "is 'CHF undefined'"],
  [VARIABLE, "={{ $json.firstName.concat(' ', $json.last) }}", "is 'Ada undefined'"],
  ...[TO_EMAIL, EVENT_USER, VARIABLE, contactField('companyName', 'Company name')].map(
    (where): [Place, Value, string] => [where, '={{ $json.a b }}', 'fails ('],
  ),
  ...[TO_EMAIL, EVENT_EMAIL, CONTACT].map((where): [Place, Value, string] => [
    where,
    '=={{ $json.email }}',
    "must be an email address without '=' in front",
  ]),
  ...[TO_EMAIL, EVENT_NAME, EVENT_USER, VARIABLE, PROPERTY_NAME].map((where): [Place, Value, string] => [
    where,
    '={{ $json.email }}}}',
    'has a brace left over behind its expression',
  ]),
  ...['ada@example.com, bo@example.com', 'ada@example.com;bo@example.com'].map(
    (value): [Place, Value, string] => [TO_EMAIL, value, 'must be one email address'],
  ),
  [TO_EMAIL, '={{ [$json.email, "bo@example.com"] }}', 'must be one value, not a list'],
  ...['Ada <ada@example.com>', '<ada@example.com>'].map((value): [Place, Value, string] => [
    TO_EMAIL,
    value,
    'must be an email address without a name around it',
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
  ].map((value): [Place, Value, string] => [TO_EMAIL, value, 'must be an email address']),
  ...[TO_EMAIL, EVENT_EMAIL, CONTACT, CONTACT_EMAIL].map((where): [Place, Value, string] => [
    where,
    '={{ "=ada@example.com" }}',
    "must be an email address without '=' in front",
  ]),
  ...(
    [
      ['   ', 'is empty'],
      ['={{ $json.none }}', '{{ $json.none }} has no value'],
      ['={{ null }}', '{{ null }} has no value'],
      ["={{ $json.none ?? '' }}", 'has no value'],
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
  [EVENT_EMAIL, 'ada at example', 'must be an email address'],
  [CONTACT, locator('email', 'ada'), 'must be an email address'],
  [CONTACT, locator('userId', '..'), 'has another meaning in a URL'],
  [CONTACT, locator('userId', 'properties'), 'has another meaning in a URL'],
  [DESIGN, locator('id', 'gone'), ''],
  ...['First Name', 'team_size', '1st', 'TeamSize', 'größe', 'a.b'].map((value): [Place, Value, string] => [
    PROPERTY_NAME,
    value,
    'not camelCase',
  ]),
  [PROPERTY_NAME, 'email', 'is reserved'],
  [PROPERTY_NAME, 'createdAt', 'is built in'],
  ...[
    'x',
    '1,5',
    true,
    '={{ [1] }}',
    '={{ {} }}',
    '={{ $now.toJSDate() }}',
    'many',
    '0x10',
    '1 000',
    '1.200',
  ].map((value): [Place, Value, string] => [
    contactField('teamSize', 'Team size'),
    value,
    'must be a number',
  ]),
  ...['maybe', 2, '={{ [] }}', '={{ {} }}'].map((value): [Place, Value, string] => [
    contactField('isTrialUser', 'Is trial user'),
    value,
    'must be true or false',
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
  ].map((value): [Place, Value, string] => [TRIAL, value, 'must be']),
  [TRIAL, 1_769_817_600_000, 'looks like milliseconds: divide it by 1000'],
  [TRIAL, 1.5, 'looks like a year, 0 or the day number of a spreadsheet'],
  ...NO_TEXTS.map((value): [Place, Value, string] => [
    contactField('companyName', 'Company name'),
    value,
    '',
  ]),
  [
    contactField('subscribed', 'Subscribed'),
    true,
    'must be false, as only the contact can subscribe again, but is true',
  ],
  [
    contactField('subscribed', 'Subscribed'),
    'yes',
    "must be false, as only the contact can subscribe again, but is 'yes'",
  ],
  [contactField('email', 'email'), 'bo@example.com', 'cannot be changed while'],
  [contactField('createdAt', 'Created At'), '2026-01-31', 'cannot be set here'],
  [contactField('id', 'id'), '5', 'cannot be set here'],
  [contactField('teamsize', 'teamsize'), 5, 'There is no contact property'],
  [contactField('First Name', 'First Name'), 'Ada', 'There is no contact property'],
  [contactField('companyName', 'Company name'), '={{ $json.none }}', '{{ $json.none }} has no value'],
  ...['x', '1,5', true, '={{ [1] }}', '={{ {} }}'].map((value): [Place, Value, string] => [
    eventProperty('number'),
    value,
    'must be a number',
  ]),
  ...['maybe', 2].map((value): [Place, Value, string] => [
    eventProperty('boolean'),
    value,
    'must be true or false',
  ]),
  ...['31/01/2026', '2026-02-30'].map((value): [Place, Value, string] => [
    eventProperty('date'),
    value,
    'must be a date',
  ]),
  [eventProperty('auto'), '={{ NaN }}', '{{ NaN }} is not a number'],
  [eventProperty('auto'), '={{ $json.none }}', '{{ $json.none }} has no value'],
  [eventProperty('decimal'), '1', 'must be one of'],
  ...[JSON_PROPERTIES, JSON_VARIABLES].flatMap((where) =>
    ['[]', '5', 'null', '{', '={{ [1] }}', '{"a": 1,}', '{a: 1}'].map((value): [Place, Value, string] => [
      where,
      value,
      'is not a JSON object',
    ]),
  ),
  [JSON_PROPERTIES, '={{ $json.none }}', '{{ $json.none }} has no value'],
  [JSON_PROPERTIES, '={"a": "{{ $json.none }}"}', '{{ $json.none }} has no value'],
  [JSON_PROPERTIES, '={"a": {{ JSON.stringify("" + $json.none) }}}', 'in which a value is missing'],
  [JSON_VARIABLES, '{"firstName": "Ada"}', "The variable 'planName' of the email 'Welcome' is empty"],
  [
    JSON_VARIABLES,
    '{"firstName": null, "planName": "b"}',
    "The variable 'firstName' of the email 'Welcome' is empty",
  ],
  [JSON_VARIABLES, '{"firstName": "a", "planName": {"a": 1}}', 'must be text or a number'],
  [JSON_PROPERTIES, '{"a":1,"a":2}', "has the name 'a' twice"],
  [JSON_PROPERTIES, '{"order":9007199254740993}', 'has the number 9007199254740993, which would be rounded'],
  ...[
    EVENT_USER,
    KEPT_USER,
    VARIABLE,
    eventProperty('auto'),
    contactField('companyName', 'Company name'),
    option('idempotencyKey', 'Idempotency Key'),
  ].map((where): [Place, Value, string] => [where, '={{ 2 ** 53 }}', '15 digits']),
  ...['={{ {} }}', 5, true, '={{ [{}] }}', '={{ [null] }}'].map((value): [Place, Value, string] => [
    SUBSCRIBE,
    value,
    '',
  ]),
  [SUBSCRIBE, ['News'], "has 'News', which is no ID of a subscription group"],
  ...['', ' '].map((value): [Place, Value, string] => [VARIABLE, value, 'is empty']),
  ...['={{ $json.none }}', '={{ null }}'].map((value): [Place, Value, string] => [
    VARIABLE,
    value,
    'has no value',
  ]),
  ...['={{ {} }}', '={{ [{}] }}', true, '={{ false }}'].map((value): [Place, Value, string] => [
    VARIABLE,
    value,
    'must be text or a number',
  ]),
  [VARIABLE, '={{ NaN }}', 'is not a number'],
  [VARIABLE, '={{ new Date("x") }}', 'is no valid date'],
  [VARIABLE, '=Hello {{ $json.nmae }}, code {{ $json.firstName }}', '{{ $json.nmae }} has no value'],
  [VARIABLE, '=Hello {{ $json }}', '{{ $json }} is an object'],
  [VARIABLE, "=Hello {{ $json.none && 'x' }}", 'has no value'],
  [VARIABLE, "=Hello {{ $json.firstName === 'x' && 'x' }}", 'is false'],
  [
    place('Subscribe to Groups', () =>
      update({ subscribeTo: ['group-news'], unsubscribeFrom: ['group-news'] }),
    ),
    '',
    "'Unsubscribe From Groups'",
  ],
  [
    place('total', () =>
      event({
        eventProperties: { property: ['1', '2'].map((value) => ({ name: 'total', type: 'auto', value })) },
      }),
    ),
    '',
    'is given twice',
  ],
  [
    place('property', () => event({ eventProperties: { property: [{ name: ' ', value: '1' }] } })),
    '',
    'has no name',
  ],
  [CONCURRENCY, 'many', 'must be a whole number'],
  [
    place('property', () => event({ specifyProperties: 'json', eventPropertiesJson: '{" ": 1}' })),
    '',
    'has no name',
  ],
  [place('signedUp', () => event({ email: '', userId: '' })), '', 'has no contact'],
  [
    place('frstName', () => ({ ...emailParameters({}, { firstName: 'a', planName: 'b', frstName: 'c' }) })),
    '',
    'has no variable',
  ],
];

/** Options that hold for all items. */
const OF_THE_RUN = new Set([CONCURRENCY]);

test('the table has enough cases', () => {
  expect(REFUSED.length).toBeGreaterThanOrEqual(150);
});

test.each(REFUSED.map(([where, value, says]) => [where.name, value, says, where] as const))(
  '%s: %j is refused',
  async (name, value, says, where) => {
    const { error } = await setup.run(where.with(value), [ADA]);
    const message = error?.message ?? '';
    expect(`${message} ${error?.description}`).toContain(name);
    expect(message).toContain(says);
    if (!OF_THE_RUN.has(where)) expect(message).toMatch(/ \[item 0\]$/);
    // Nothing that only a program says, and a way out.
    expect(message).not.toMatch(
      /transactionalId|dataVariables|userId|maxRetries|timeoutMs|undefined is|\bat \w+\.|E[A-Z]{5,}/,
    );
    expect(error?.description).toMatch(
      /Add|Check|Correct|Choose|Fill|Give|Remove|Use|Write|Set|Look|Send|split/i,
    );
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
  [VARIABLE, '={{ [1, 2] }}', (sent) => sent['dataVariables'], { firstName: '1,2', planName: 'Free' }],
  [
    JSON_VARIABLES,
    '{"firstName": "", "planName": 5}',
    (sent) => sent['dataVariables'],
    { firstName: '', planName: 5 },
  ],
  [eventProperty('auto'), '={{ [1, 2] }}', (sent) => sent['eventProperties'], { when: '[1,2]' }],
  [
    JSON_PROPERTIES,
    '{"a": {"b": 1}, "c": [1]}',
    (sent) => sent['eventProperties'],
    { a: '{"b":1}', c: '[1]' },
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

test('a colon in the name of a design does not cut the message', async () => {
  const { error } = await setup.run(
    { ...emailParameters(), transactionalId: locator('id', 'design-order'), dataVariables: mapped({}) },
    [{ email: 'not an address' }],
  );
  expect(error?.message).toBe(
    "The email 'Order: Receipt' to 'not an address' cannot be sent: 'To Email' must be an email address, such as ada@example.com, and nothing else [item 0]",
  );
});

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
    expect(error?.message).toContain("The User ID 'ada@example.com' has an '@'");
  }
  expect(writes(setup.sandbox)).toEqual([]);
});

describe('a number that JavaScript cannot hold exactly', () => {
  const places = [EVENT_USER, KEPT_USER, CONTACT_USER, option('idempotencyKey', 'Idempotency Key')];
  const expression = '=order-{{ $json.order.id }}';

  test.each(places.map((where): [string, Place] => [where.name, where]))('%s', async (_name, where) => {
    const { error } = await setup.run(where.with(expression), [{ ...ADA, order: { id: 2 ** 53 } }]);
    expect(error?.message).toContain('{{ $json.order.id }} is a number of more than 15 digits');
    expect(writes(setup.sandbox)).toEqual([]);
    const told = await setup.run(where.with(expression), [{ ...ADA, order: { id: '9007199254740993' } }]);
    expect(told.error?.message ?? '').not.toContain('15 digits');
  });
});
