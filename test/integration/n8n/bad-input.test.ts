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
const RATE = option('requestsPerSecond', 'Requests per Second');
const RETRIES = option('retries', 'Retries');
const TIMEOUT = option('timeout', 'Timeout (Seconds)');
const ON_FAILED = option('onFailedItem', 'On Failed Item');
const ONCE_PER = option('sendOnce', 'Send Once Per');
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
const SKIP = place('Continue if It Exists', (skipExisting) => create({ options: { skipExisting } }));
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
const SUBSCRIBE = place('Subscribe to Groups', (subscribeTo) =>
  update({ additionalFields: { subscribeTo } }),
);
const CLEAR = place('Fields to Clear', (clear) => update({ additionalFields: { clear } }));
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
const SEND_EMPTY = place('Variables That May Be Empty', (sendEmpty) => ({ ...emailParameters(), sendEmpty }));

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
  'yes',
  'no',
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
  ...[-1, ...NO_NUMBERS].map((value): [Place, Value, string] => [RATE, value, '']),
  ...[99, -1, 1.5, ...NO_NUMBERS].map((value): [Place, Value, string] => [RETRIES, value, '']),
  ...[0, -5, 99_999, ...NO_NUMBERS].map((value): [Place, Value, string] => [TIMEOUT, value, '']),
  ...[0, -5, 1.5, ...NO_NUMBERS].map((value): [Place, Value, string] => [LIMIT, value, '']),
  ...[AUDIENCE, RETURN_ALL, CUSTOM_ONLY, SIMPLIFY, SKIP].flatMap((where) =>
    NO_SWITCHES.map((value): [Place, Value, string] => [where, value, '']),
  ),
  ...[ON_FAILED, ONCE_PER, SPECIFY, PROPERTY_TYPE].flatMap((where) =>
    ['other', 'STOP', '={{ {} }}', '={{ $json.none }}'].map((value): [Place, Value, string] => [
      where,
      value,
      'must be one of',
    ]),
  ),
  ...[EVENT_USER, KEPT_USER, CONTACT_USER, EVENT_NAME].flatMap((where): [Place, Value, string][] => [
    [where, '=user-{{ $json.id }}', "is 'user-', in which $json.id has no value"],
    [where, "={{ 'user-' + $json.id }}", "is 'user-undefined', in which $json.id has no value"],
    [where, "={{ 'user' + $json.id }}", "is 'userundefined', in which $json.id has no value"],
    [where, "={{ `user-${$json.id ?? ''}` }}", "is 'user-', in which "],
    [where, "={{ 'user-' + {} }}", "is 'user-[object Object]', in which {} is an object"],
  ]),
  [TO_EMAIL, "={{ $json.nmae + '@x.org' }}", "is 'undefined@x.org', in which $json.nmae has"],
  [TO_EMAIL, '={{ $json.nmae }}@x.org', "is '@x.org', in which $json.nmae has no value"],
  [DESIGN, locator('id', "={{ 'design-' + $json.language }}"), "is 'design-undefined'"],
  [eventProperty('auto'), "={{ 'order ' + $json.no }}", "is the text 'order undefined'"],
  [eventProperty('string'), "={{ $json.no + ' seats' }}", "is the text 'undefined seats'"],
  [contactField('companyName', 'Company name'), "={{ 'x ' + $json.no }}", "is the text 'x undefined'"],
  [EVENT_USER, "={{ 'de' }}-{{ 'user' + $json.id }}", "is 'de-userundefined'"],
  [
    place('Fields', () => update({ fields: { mappingMode: 'defineBelow', value: '={{ $json.none }}' } })),
    '',
    'must be an object of names and values',
  ],
  [VARIABLE, "={{ 'CHF' + $json.no }}", "is the text 'CHFundefined'"],
  [VARIABLE, "={{ $json.firstName.concat(' ', $json.last) }}", "is the text 'Ada undefined'"],
  [
    VARIABLE,
    "={{ ($json.x === undefined ? '' : 'x') + 'CHF ' + $json.amount }}",
    "is the text 'CHF undefined'",
  ],
  [TO_EMAIL, "={{ $json.email.replace('ada', $json.nick) }}", "is 'undefined@example.com'"],
  ...[TO_EMAIL, EVENT_USER, VARIABLE, contactField('companyName', 'Company name')].map(
    (where): [Place, Value, string] => [where, '={{ $json.a b }}', 'fails: '],
  ),
  // The field is set to 'Expression', and an '=' is typed in front of the braces.
  ...[TO_EMAIL, EVENT_NAME, EVENT_EMAIL, EVENT_USER, KEPT_USER, VARIABLE, CONTACT, PROPERTY_NAME].map(
    (where): [Place, Value, string] => [
      where,
      '=={{ $json.email }}',
      "begins with '=' in front of its expression",
    ],
  ),
  ...[
    contactField('companyName', 'Company name'),
    eventProperty('auto'),
    option('idempotencyKey', 'Idempotency Key'),
  ].map((where): [Place, Value, string] => [
    where,
    '== {{ $json.email }}',
    "begins with '=' in front of its expression",
  ]),
  ...[
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'ada@example.com, bo@example.com',
    'Ada <ada@example.com>',
    'mailto:ada@example.com',
    '<ada@example.com>',
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
  ...['   ', '={{ $json.none }}', '={{ null }}'].flatMap((value): [Place, Value, string][] => [
    [TO_EMAIL, value, 'is empty'],
    [EVENT_NAME, value, 'is empty'],
    [PROPERTY_NAME, value, 'is empty'],
    [DESIGN, locator('id', value), 'is empty'],
    [CONTACT, locator('email', value), 'is empty'],
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
  [CONTACT, locator('userId', '..'), 'cannot be used in a path'],
  [CONTACT, locator('userId', 'properties'), 'cannot be used in a path'],
  [DESIGN, locator('id', 'gone'), ''],
  ...['First Name', 'team_size', '1st', 'TeamSize', 'größe', 'a.b'].map((value): [Place, Value, string] => [
    PROPERTY_NAME,
    value,
    'not camelCase',
  ]),
  [PROPERTY_NAME, 'email', 'is reserved'],
  [PROPERTY_NAME, 'createdAt', 'is built in'],
  ...[...NO_NUMBERS.filter((value) => value !== '={{ $json.none }}'), 'many', '0x10', '1 000'].map(
    (value): [Place, Value, string] => [contactField('teamSize', 'Team size'), value, 'must be a number'],
  ),
  ...['maybe', 'yes', 2, '={{ [] }}', '={{ {} }}'].map((value): [Place, Value, string] => [
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
    1_769_817_600_000,
    1.5,
    true,
    '={{ [] }}',
    '={{ {} }}',
  ].map((value): [Place, Value, string] => [contactField('trialEndsAt', 'Trial ends at'), value, 'must be']),
  ...NO_TEXTS.map((value): [Place, Value, string] => [
    contactField('companyName', 'Company name'),
    value,
    '',
  ]),
  [
    contactField('subscribed', 'Subscribed'),
    true,
    'must be false (unsubscribed), as only the contact can subscribe again, but is true',
  ],
  [
    contactField('subscribed', 'Subscribed'),
    'yes',
    "must be false (unsubscribed), as only the contact can subscribe again, but is 'yes'",
  ],
  [contactField('email', 'email'), 'bo@example.com', 'cannot be changed while'],
  [contactField('createdAt', 'Created At'), '2026-01-31', 'cannot be set here'],
  [contactField('id', 'id'), '5', 'cannot be set here'],
  [contactField('teamsize', 'teamsize'), 5, 'There is no contact property'],
  [contactField('First Name', 'First Name'), 'Ada', 'There is no contact property'],
  [contactField('companyName', 'nothing to change'), '', ''],
  ...[...NO_NUMBERS.filter((value) => value !== '={{ $json.none }}')].map((value): [Place, Value, string] => [
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
  ...['={{ [] }}', '={{ {} }}', '={{ NaN }}'].map((value): [Place, Value, string] => [
    eventProperty('auto'),
    value,
    'must be',
  ]),
  [eventProperty('decimal'), '1', 'must be one of'],
  ...['[]', '5', 'null', '{', '={{ $json.none }}', '={{ [1] }}'].map((value): [Place, Value, string] => [
    JSON_PROPERTIES,
    value,
    'is not a JSON object',
  ]),
  [JSON_PROPERTIES, '{"a":1,"a":2}', "has the name 'a' twice"],
  [JSON_PROPERTIES, '{"order":9007199254740993}', 'has the number 9007199254740993, which would be rounded'],
  [JSON_PROPERTIES, '{"__proto__":1,"b":2}', "the name '__proto__'"],
  ...[
    EVENT_USER,
    KEPT_USER,
    VARIABLE,
    eventProperty('auto'),
    contactField('companyName', 'Company name'),
    option('idempotencyKey', 'Idempotency Key'),
  ].map((where): [Place, Value, string] => [where, '={{ 2 ** 53 }}', '15 digits']),
  [
    place("'a'", () => event({ specifyProperties: 'json', eventPropertiesJson: '{"a": [1]}' })),
    '',
    'must be',
  ],
  [
    place("'a'", () => event({ specifyProperties: 'json', eventPropertiesJson: '{"a": {"b": 1}}' })),
    '',
    'must be',
  ],
  ...['={{ {} }}', 5, true, '={{ [{}] }}', '={{ [null] }}'].map((value): [Place, Value, string] => [
    SUBSCRIBE,
    value,
    '',
  ]),
  [SUBSCRIBE, ['News'], "names 'News', which is no ID of a subscription group"],
  [CLEAR, ['email'], 'cannot be cleared'],
  [CLEAR, ['subscribed'], 'cannot be cleared'],
  [CLEAR, ['nothing'], 'is no field of a contact'],
  ...['={{ $json.none }}', '={{ null }}', '', ' '].map((value): [Place, Value, string] => [
    VARIABLE,
    value,
    'has no value',
  ]),
  ...['={{ [] }}', '={{ {} }}', '={{ NaN }}', '={{ $now }}', true].map((value): [Place, Value, string] => [
    VARIABLE,
    value,
    'must be text or a number',
  ]),
  [SEND_EMPTY, ['lastName'], 'has no variable'],
  [
    place('Subscribe to Groups', () =>
      update({ additionalFields: { subscribeTo: ['group-news'], unsubscribeFrom: ['group-news'] } }),
    ),
    '',
    "'Unsubscribe From Groups'",
  ],
  [
    place('companyName', () =>
      update({ fields: mapped({ companyName: 'x' }), additionalFields: { clear: ['companyName'] } }),
    ),
    '',
    'set and cleared at once',
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
    place('Event Properties', () => event({ eventProperties: { property: [{ name: ' ', value: '1' }] } })),
    '',
    'has no name',
  ],
  [CONCURRENCY, 'many', 'must be a whole number'],
  [JSON_PROPERTIES, '={"{{ $json.none }}": 1}', 'has no name'],
  [JSON_PROPERTIES, '{" ": 1}', 'has no name'],
  [
    place('total', () =>
      event({ specifyProperties: 'json', eventPropertiesJson: '{"total": 1, " total": 2}' }),
    ),
    '',
    'is given twice',
  ],
  [place('signedUp', () => event({ email: '', userId: '' })), '', 'has no contact'],
  [
    place('frstName', () => ({ ...emailParameters({}, { firstName: 'a', planName: 'b', frstName: 'c' }) })),
    '',
    'has no variable',
  ],
];

/** Options that hold for all items. */
const OF_THE_RUN = new Set([CONCURRENCY, RATE, RETRIES, TIMEOUT, ON_FAILED]);

test('the table is long enough', () => {
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
      /Correct|Choose|Fill|Give|Remove|Use|Write|Set|The service sets|It has|Nothing was sent/,
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
  [RETRIES, '3', (sent) => sent['email'], 'ada@example.com'],
  [TIMEOUT, ' 2.5 ', (sent) => sent['email'], 'ada@example.com'],
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
    Date.UTC(2026, 0, 31) / 1000,
  ],
  [contactField('companyName', ''), '={{ $now }}', (sent) => typeof sent['companyName'], 'string'],
  // What tells one person from another may look odd where the input says so.
  ...[
    ['=user-{{ "V1StG_" }}', 'user-V1StG_'],
    ['=+{{ 41791234567 }}', '+41791234567'],
    ['=crm-{{ "nullmeyer" }}', 'crm-nullmeyer'],
    ["={{ $json.none ?? '' }}u-{{ $json.firstName }}", 'u-Ada'],
    ['={{ "u-null" }}', 'u-null'],
    ["={{ $json.none || 'is nulla' + $json.firstName }}", 'is nullaAda'],
    ['=a {{ JSON.stringify({ phone: null }) }}', 'a {"phone":null}'],
    ['={{ String($json.firstName) }}', 'Ada'],
  ].map(([value = '', due]): (typeof TAKEN)[number] => [EVENT_USER, value, (sent) => sent['userId'], due]),
  [TO_EMAIL, "={{ String('_' + $json.email).toLowerCase() }}", (sent) => sent['email'], '_ada@example.com'],
  [
    VARIABLE,
    '== {{ $json.firstName }} =',
    (sent) => sent['dataVariables'],
    { firstName: '= Ada =', planName: 'Free' },
  ],
  [TO_EMAIL, "={{ $json.test ? 'test+' : '' }}{{ $json.email }}", (sent) => sent['email'], 'ada@example.com'],
  [
    contactField('companyName', ''),
    '={{ JSON.stringify({ a: null }) }}',
    (sent) => sent['companyName'],
    '{"a":null}',
  ],
  [
    VARIABLE,
    "={{ Object.values($json).join(' ') + ' is null' }}",
    (sent) => sent['dataVariables'],
    { firstName: 'ada@example.com Ada is null', planName: 'Free' },
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
  [eventProperty('auto'), '={{ $json.none }}', (sent) => sent['eventProperties'], undefined],
  [JSON_PROPERTIES, '', (sent) => sent['eventProperties'], undefined],
  [place('', () => update({ fields: AUTO_MAPPED })), '', (sent) => sent['firstName'], 'Ada'],
];

test.each(TAKEN.map(([where, value, of, due]) => [where.name, value, of, due, where] as const))(
  '%s: %j is taken',
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

test('an item further down: nothing goes out for the items before it either', async () => {
  const { error } = await setup.run(emailParameters(), [ADA, ADA, { ...ADA, email: 'not an address' }]);
  expect(error?.itemIndex).toBe(2);
  expect(writes(setup.sandbox)).toEqual([]);
});

test('an unknown contact', async () => {
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

test('a contact is not chosen by a User ID that leads to the one of that email address', async () => {
  for (const operation of ['get', 'unsubscribe', 'update']) {
    const contact = locator('userId', 'ada@example.com');
    const { error } = await setup.run({ resource: 'contact', operation, contact }, [ADA]);
    expect(error?.message).toContain("The User ID 'ada@example.com' leads to whoever has that email address");
  }
  expect(writes(setup.sandbox)).toEqual([]);
});

describe('a number that was too long for JavaScript is nobody’s id and no key', () => {
  const places = [EVENT_USER, KEPT_USER, CONTACT_USER, option('idempotencyKey', 'Idempotency Key')];
  const expression = '=order-{{ $json.order.id }}';

  test.each(places.map((where): [string, Place] => [where.name, where]))('%s', async (_name, where) => {
    const { error } = await setup.run(where.with(expression), [{ ...ADA, order: { id: 2 ** 53 } }]);
    expect(error?.message).toContain(
      "is 'order-9007199254740992', in which 9007199254740992 is a number of more",
    );
    expect(writes(setup.sandbox)).toEqual([]);
    const told = await setup.run(where.with(expression), [{ ...ADA, order: { id: '9007199254740993' } }]);
    expect(told.error?.message ?? '').not.toContain('15 digits');
  });
});
