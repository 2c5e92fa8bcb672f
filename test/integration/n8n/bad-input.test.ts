import type { Seed } from 'audience-sandbox';
import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { AUTO_MAPPED, bodyOf, emailParameters, locator, setUpForFile, writes } from './support.js';

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
const CONTACTS = ['get', 'unsubscribe', 'update'].map((operation) =>
  place('Contact', (contact) => ({ resource: 'contact', operation, contact })),
);
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
  ...['x', '1,5', true, '={{ [1] }}', '={{ {} }}', '={{ $now }}', '={{ $json.none }}'],
  ...['={{ NaN }}', '={{ 1/0 }}'],
];
const NO_SWITCHES: Value[] = [
  ...['on', 'ja', 2, -1, '={{ $json.none }}', '={{ null }}', '={{ [] }}', '={{ {} }}', '={{ $now }}'],
];
const NO_TEXTS = [
  ...['={{ [1] }}', '={{ {a: 1} }}', '={{ NaN }}', '={{ "" + undefined }}', '={{ "" + {} }}'],
];
const NO_VALUES = ['={{ $json.none }}', '={{ null }}', "={{ $json.none ?? '' }}"];
const TRIAL = contactField('trialEndsAt', 'Trial ends at');

/** Each value in each place, with the code of the problem and the form that is expected. */
function refused(
  code: string,
  places: readonly Place[],
  values: readonly Value[] = [''],
): [Place, Value, string][] {
  return places.flatMap((where) => values.map((value): [Place, Value, string] => [where, value, code]));
}

const atEnd = (mode: string, values: readonly string[]) => values.map((value) => locator(mode, value));
const COMPANY = contactField('companyName', 'Company name');
const TEAM_SIZE = contactField('teamSize', 'Team size');
const IDENTIFIERS = [EVENT_USER, KEPT_USER, CONTACT_USER, EVENT_NAME];
const SINGLE_OBJECTS = ['={{ [] }}', '={{ {} }}'];

const REFUSED = [
  ...refused('', [CONCURRENCY], [0, -3, 1.5, 501, 'many', ...NO_NUMBERS]),
  ...refused('', [LIMIT], [0, -5, 1.5, ...NO_NUMBERS]),
  ...refused('', [AUDIENCE, RETURN_ALL, CUSTOM_ONLY, SIMPLIFY], NO_SWITCHES),
  ...refused(
    'misfit:one-of',
    [SPECIFY, PROPERTY_TYPE, IF_EXISTS, IF_NOT_FOUND, EMPTY_FIELDS],
    ['other', 'STOP', '={{ {} }}'],
  ),
  ...refused('no-identifier', IDENTIFIERS, ['=user-{{ $json.id }}']),
  ...refused('empty-part', IDENTIFIERS, ["=user-{{ $json.id ?? '' }}"]),
  ...refused('placeholder', IDENTIFIERS, [
    "={{ 'user-' + $json.id }}",
    "={{ `user-${$json.id ?? ''}` }}",
    "={{ 'user-' + {} }}",
  ]),
  ...refused('no-identifier', [TO_EMAIL], ['={{ $json.nmae }}@x.org']),
  ...refused('placeholder', [DESIGN], atEnd('id', ["={{ 'design-' + $json.language }}"])),
  ...refused('no-value', [
    place('Fields', () => update({ fields: { mappingMode: 'defineBelow', value: '={{ $json.none }}' } })),
  ]),
  ...refused('expression-fails', [TO_EMAIL, EVENT_USER, VARIABLE, COMPANY], ['={{ $json.a b }}']),
  ...refused(
    'brace-left-over',
    [TO_EMAIL, EVENT_NAME, EVENT_USER, VARIABLE, PROPERTY_NAME],
    ['={{ $json.email }}}}'],
  ),
  ...refused(
    'misfit:address-without-equals-sign',
    [TO_EMAIL, EVENT_EMAIL, CONTACT, CONTACT_EMAIL],
    ['=={{ $json.email }}', '={{ "=ada@example.com" }}'],
  ),
  ...refused(
    'misfit:one-address',
    [TO_EMAIL],
    ['ada@example.com, bo@example.com', 'ada@example.com;bo@example.com'],
  ),
  ...refused('misfit:one-value', [TO_EMAIL], ['={{ [$json.email, "bo@example.com"] }}']),
  ...refused('misfit:address-without-name', [TO_EMAIL], ['Ada <ada@example.com>', '<ada@example.com>']),
  ...refused(
    'misfit',
    [TO_EMAIL],
    [
      ...['ada', 'ada@', '@example.com', 'a b@example.com', 'mailto:ada@example.com', '"ada@example.com"'],
      ...['ada@example,com', 'ada@example.com,', 'ada@example.com.', 'ada@example..com'],
      ...['ada@example.com\u200b', 42, true],
    ],
  ),
  ...refused('empty', [TO_EMAIL, EVENT_NAME, PROPERTY_NAME], ['   ']),
  ...refused('empty', [DESIGN], atEnd('id', ['   '])),
  ...refused('empty', [CONTACT], atEnd('email', ['   '])),
  ...refused('no-identifier', [TO_EMAIL, EVENT_NAME, PROPERTY_NAME], NO_VALUES),
  ...refused('no-identifier', [DESIGN], atEnd('id', NO_VALUES)),
  ...refused('no-identifier', [CONTACT], atEnd('email', NO_VALUES)),
  ...refused(
    '',
    [TO_EMAIL, EVENT_NAME, EVENT_EMAIL, EVENT_USER, KEPT_USER],
    [...NO_TEXTS, '={{ "" + null }}'],
  ),
  ...refused('', [DESIGN, CONTACT, PROPERTY_NAME], NO_TEXTS),
  ...refused('misfit', [EVENT_EMAIL], ['ada at example']),
  ...refused('misfit', [CONTACT], [...atEnd('email', ['ada']), ...atEnd('userId', ['..', 'properties'])]),
  ...refused('email-as-user-id', CONTACTS, atEnd('userId', ['ada@example.com'])),
  ...refused('unknown-design', [DESIGN], atEnd('id', ['gone'])),
  ...refused(
    'misfit',
    [PROPERTY_NAME],
    ['First Name', 'team_size', '1st', 'TeamSize', 'größe', 'a.b', 'email', 'createdAt'],
  ),
  ...refused(
    'misfit:number',
    [TEAM_SIZE, eventProperty('number')],
    ['x', '1,5', true, '={{ [1] }}', '={{ {} }}', '={{ $now.toJSDate() }}', 'many', '0x10', '1 000'],
  ),
  ...refused('misfit:plain-number', [TEAM_SIZE], ['1.200']),
  ...refused(
    'misfit:boolean',
    [contactField('isTrialUser', 'Is trial user'), eventProperty('boolean')],
    ['maybe', 2, ...SINGLE_OBJECTS],
  ),
  ...refused(
    'misfit:date',
    [TRIAL, eventProperty('date')],
    ['31/01/2026', '2026-02-30', '2026-13-01', 'tomorrow', '2026-01-31T25:00', true, ...SINGLE_OBJECTS],
  ),
  ...refused('misfit:seconds', [TRIAL], [1_769_817_600_000]),
  ...refused('misfit:date-not-day-number', [TRIAL], [1.5]),
  ...refused('', [COMPANY], NO_TEXTS.slice(0, 3)),
  ...refused('misfit:only-false', [contactField('subscribed', 'Subscribed')], [true, 'yes']),
  ...refused('email-by-email', [contactField('email', 'email')], ['bo@example.com']),
  ...refused('field-cannot-be-set', [contactField('createdAt', 'Created At')], ['2026-01-31']),
  ...refused('field-cannot-be-set', [contactField('id', 'id')], ['5']),
  ...refused('unknown-field', [contactField('teamsize', 'teamsize')], [5]),
  ...refused('unknown-field', [contactField('First Name', 'First Name')], ['Ada']),
  ...refused('no-value', [COMPANY, eventProperty('auto'), JSON_PROPERTIES], ['={{ $json.none }}']),
  ...refused('no-value', [JSON_PROPERTIES], ['={"a": "{{ $json.none }}"}']),
  ...refused('not-a-number', [eventProperty('auto')], ['={{ NaN }}']),
  ...refused('misfit:one-of', [eventProperty('decimal')], ['1']),
  ...refused(
    'not-json',
    [JSON_PROPERTIES, JSON_VARIABLES],
    ['[]', '5', 'null', '{', '={{ [1] }}', '{"a": 1,}', '{a: 1}'],
  ),
  ...refused(
    'absent-in-json',
    [JSON_VARIABLES],
    ['{"firstName": "Ada"}', '{"firstName": null, "planName": "b"}'],
  ),
  ...refused('lossy-json', [JSON_PROPERTIES], ['{"a":1,"a":2}', '{"order":9007199254740993}']),
  ...refused(
    'rounded-number',
    [
      ...[EVENT_USER, KEPT_USER, CONTACT_USER, VARIABLE, eventProperty('auto'), COMPANY],
      option('idempotencyKey', 'Idempotency Key'),
    ],
    ['={{ 2 ** 53 }}', '=order-{{ 2 ** 53 }}'],
  ),
  ...refused('', [SUBSCRIBE], ['={{ {} }}', 5, true, '={{ [{}] }}', '={{ [null] }}']),
  ...refused('unknown-group', [SUBSCRIBE], [['News']]),
  ...refused('group-in-both', [
    place('Subscribe to Groups', () =>
      update({ subscribeTo: ['group-news'], unsubscribeFrom: ['group-news'] }),
    ),
  ]),
  ...refused('given-twice', [
    place('total', () =>
      event({
        eventProperties: { property: ['1', '2'].map((value) => ({ name: 'total', type: 'auto', value })) },
      }),
    ),
  ]),
  ...refused('no-property-name', [
    place('property', () => event({ eventProperties: { property: [{ name: ' ', value: '1' }] } })),
  ]),
  ...refused('no-property-name', [JSON_PROPERTIES], ['{" ": 1}']),
  ...refused('no-contact', [place('signedUp', () => event({ email: '', userId: '' }))]),
];

/** Options that hold for all items. */
const OF_THE_RUN = new Set([CONCURRENCY]);

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
  [CONTACT_USER, "={{ ' g-42 ' }}", (sent) => sent['userId'], 'g-42'],
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
