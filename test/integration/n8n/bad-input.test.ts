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
    // An event has a field of its own with this name.
    { name: 'eventName', type: 'string' },
  ],
  subscriptionGroups: [{ id: 'group-news', name: 'News' }],
  contacts: [{ email: 'ada@example.com', userId: 'user-ada' }],
};

const setup = setUpForFile({ seed: SEED });

const ADA: IDataObject = { email: 'ada@example.com', firstName: 'Ada' };

type Value = NodeParameterValueType;

/** A place of the form: the node with a value there. */
type Place = (value: Value) => INodeParameters;

const update = (more: INodeParameters) => ({
  ...{ resource: 'contact', operation: 'update', contact: locator('email', 'ada@example.com') },
  ...more,
});
const event = (more: INodeParameters) => ({
  ...{ resource: 'event', operation: 'send', eventName: 'signedUp', email: 'ada@example.com' },
  ...more,
});
const inEmail =
  (name: string, more: INodeParameters = {}): Place =>
  (value) => ({ ...emailParameters(), ...more, [name]: value });
const inEvent =
  (name: string, more: INodeParameters = {}): Place =>
  (value) =>
    event({ ...more, [name]: value });
const inProperty =
  (name: string): Place =>
  (value) => ({
    ...{ resource: 'contactProperty', operation: 'create', name: 'planName', type: 'string' },
    [name]: value,
  });
const inContact =
  (operation: string): Place =>
  (contact) => ({ resource: 'contact', operation, contact });
const option =
  (name: string): Place =>
  (value) =>
    emailParameters({ [name]: value });
const contactField =
  (name: string): Place =>
  (value) =>
    update({ fields: mapped({ [name]: value }) });
const eventProperty =
  (type: string): Place =>
  (value) =>
    event({ eventProperties: { property: [{ name: 'when', type, value }] } });

const CONCURRENCY = option('concurrency');
const LIMIT: Place = (limit) => ({ resource: 'email', operation: 'getAll', limit });
const AUDIENCE = inEmail('addToAudience');
const JSON_VARIABLES = inEmail('dataVariablesJson', { specifyVariables: 'json' });
const TO_EMAIL = inEmail('email');
const DESIGN = inEmail('transactionalId');
const VARIABLE: Place = (firstName) => emailParameters({}, { firstName, planName: 'Free' });
const KEPT_USER: Place = (userId) => inEmail('contactFields', { addToAudience: true })({ userId });
const EVENT_NAME = inEvent('eventName');
const EVENT_EMAIL = inEvent('email');
const EVENT_USER = inEvent('userId');
const SPECIFY = inEvent('specifyProperties');
const JSON_PROPERTIES = inEvent('eventPropertiesJson', { specifyProperties: 'json' });
const UPSERT = { resource: 'contact', operation: 'upsert' };
const UPSERT_JSON = inEvent('contactFieldsJson', { ...UPSERT, specifyContactFields: 'json' });
const CONTACT = inContact('get');
const CONTACTS = ['get', 'unsubscribe', 'update'].map(inContact);
const PROPERTY_NAME = inProperty('name');
const PROPERTY_TYPE = inProperty('type');
const SUBSCRIBE: Place = (subscribeTo) => update({ subscribeTo });
const CONTACT_USER = contactField('userId');
const CONTACT_EMAIL: Place = (email) =>
  update({ fields: mapped({ email }), contact: locator('userId', 'user-1') });

/** Each value in each place, with the code of the problem and the form that is expected. */
function refused(
  code: string,
  places: readonly Place[],
  values: readonly Value[] = [''],
): [Place, Value, string][] {
  return places.flatMap((where) => values.map((value): [Place, Value, string] => [where, value, code]));
}

const atEnd = (mode: string, values: readonly string[]) => values.map((value) => locator(mode, value));
const COMPANY = contactField('companyName');
const TEAM_SIZE = contactField('teamSize');
const TRIAL = contactField('trialEndsAt');
const TRIAL_USER = contactField('isTrialUser');
const OWN_KEY = option('idempotencyKey');
const IDENTIFIERS = [EVENT_USER, KEPT_USER, CONTACT_USER, EVENT_NAME, OWN_KEY];
const NO_SINGLE_VALUE = ['={{ {} }}', '={{ NaN }}'];

// What n8n makes of expressions is in expressions, and which texts are numbers or dates is shown by tests of the core.
const REFUSED = [
  ...refused('misfit:between', [CONCURRENCY], [0, 1.5, 101, 'many', '={{ {} }}']),
  ...refused('misfit:at-least', [LIMIT], [0, 1.5]),
  ...refused('no-value', [LIMIT, AUDIENCE, CONCURRENCY], ['={{ null }}']),
  ...refused('misfit:boolean', [AUDIENCE], ['on', 2, '={{ [] }}']),
  ...refused('misfit:one-of', [SPECIFY, PROPERTY_TYPE], ['auto', '={{ {} }}']),
  ...refused('automatic-mapping', [
    () => event({ contactFields: AUTO_MAPPED }),
    () => event({ ...UPSERT, contactFields: AUTO_MAPPED }),
  ]),
  ...refused(
    'computed-mapping',
    [
      () => event({ contactFields: { ...mapped({}), mappingMode: '={{ "defineBelow" }}' } }),
      () => update({ fields: { ...AUTO_MAPPED, mappingMode: '={{ "autoMapInputData" }}' } }),
      () => update({ fields: '={{ { mappingMode: "autoMapInputData" } }}' }),
      inEmail('dataVariables'),
    ],
    ['={{ {} }}'],
  ),
  ...refused('has-own-field', [UPSERT_JSON], ['={{ $json }}', '{"userId": "user-1"}']),
  ...refused('field-cannot-be-set', [UPSERT_JSON], ['{"subscribed": true}']),
  ...refused('unknown-field', [UPSERT_JSON], ['{"plan": "Pro"}']),
  ...refused('no-value', IDENTIFIERS, ['=user-{{ $json.id }}']),
  ...refused('empty-part', IDENTIFIERS, ["=user-{{ $json.id ?? '' }}"]),
  ...refused('no-value', [
    () => update({ fields: { mappingMode: 'defineBelow', value: '={{ $json.none }}' } }),
  ]),
  ...refused('not-evaluated', [OWN_KEY], ['order-{{ $json.orderNo }}']),
  ...refused('misfit', [TO_EMAIL, EVENT_EMAIL, CONTACT, CONTACT_EMAIL], ['=={{ $json.email }}']),
  ...refused('misfit:one-address', [TO_EMAIL], ['ada@example.com, bo@example.com']),
  ...refused('misfit:one-value', [TO_EMAIL], ['={{ [$json.email, "bo@example.com"] }}']),
  ...refused('misfit', [TO_EMAIL], ['Ada <ada@example.com>']),
  ...refused('misfit', [TO_EMAIL, EVENT_EMAIL], ['ada', 'ada@example.com\u200b', 42]),
  ...refused('empty', [TO_EMAIL, EVENT_NAME, PROPERTY_NAME], ['   ']),
  ...refused('empty', [DESIGN], atEnd('id', ['   '])),
  ...refused('empty', [CONTACT], atEnd('email', ['   '])),
  ...refused('no-value', [TO_EMAIL, EVENT_NAME, PROPERTY_NAME, OWN_KEY], ["={{ $json.none ?? '' }}"]),
  ...refused('no-value', [DESIGN], atEnd('id', ['={{ null }}'])),
  ...refused('', [EVENT_EMAIL, EVENT_USER, DESIGN, PROPERTY_NAME, COMPANY], NO_SINGLE_VALUE),
  ...refused('misfit', [CONTACT], [...atEnd('email', ['ada']), ...atEnd('userId', ['..', 'properties'])]),
  ...refused('email-as-user-id', CONTACTS, atEnd('userId', ['ada@example.com'])),
  ...refused('unknown-design', [DESIGN], atEnd('id', ['gone'])),
  ...refused('misfit', [PROPERTY_NAME], ['First Name', 'createdAt']),
  ...refused('misfit:number', [TEAM_SIZE, eventProperty('number')], ['x', '={{ [] }}']),
  ...refused('misfit:plain-number', [TEAM_SIZE], ['1.200']),
  ...refused('misfit:boolean', [TRIAL_USER, eventProperty('boolean')], ['maybe']),
  ...refused('misfit:date', [TRIAL, eventProperty('date')], ['31/01/2026']),
  ...refused('misfit:seconds', [TRIAL], [1_769_817_600_000]),
  ...refused('misfit:date-not-day-number', [TRIAL], [1.5]),
  ...refused('misfit:only-false', [contactField('subscribed')], [true]),
  ...refused('no-value', [contactField('subscribed'), SUBSCRIBE], ['={{ $json.none }}', '={{ null }}']),
  ...refused('email-by-email', [contactField('email')], ['bo@example.com']),
  ...refused('field-cannot-be-set', [contactField('createdAt'), contactField('id')], ['5']),
  ...refused('field-cannot-be-set', [() => event({ contactFields: mapped({ eventName: 'x' }) })]),
  ...refused('unknown-field', [contactField('teamsize')], [5]),
  ...refused('no-value', [JSON_PROPERTIES], ['={"a": "{{ $json.none }}"}']),
  ...refused(
    'misfit:json-value',
    [VARIABLE, eventProperty('auto'), JSON_PROPERTIES],
    ['={{ { a: $now.diff($now) } }}', '={{ { a: [new Error("x")] } }}'],
  ),
  ...refused(
    'misfit',
    [VARIABLE],
    ['={{ [NaN] }}', '={{ { a: 2 ** 60 } }}', '={{ [[1, $json.firstName.trim]] }}'],
  ),
  ...refused('misfit:one-of', [eventProperty('decimal')], ['1']),
  ...refused('not-json', [JSON_PROPERTIES, JSON_VARIABLES], ['[]', '5', '{', '={{ [1] }}']),
  ...refused('absent', [JSON_VARIABLES], ['{"firstName": null, "planName": "b"}']),
  ...refused(
    'rounded-number',
    [...IDENTIFIERS, VARIABLE, eventProperty('auto'), COMPANY],
    ['=order-{{ 2 ** 53 }}'],
  ),
  ...refused('', [SUBSCRIBE], ['={{ {} }}', 5, '={{ [{}] }}', '={{ [null] }}']),
  ...refused('unknown-group', [SUBSCRIBE], [['News']]),
  ...refused('group-in-both', [
    () => update({ subscribeTo: ['group-news'], unsubscribeFrom: ['group-news'] }),
  ]),
  ...refused('given-twice', [
    () =>
      event({
        eventProperties: { property: ['1', '2'].map((value) => ({ name: 'total', type: 'auto', value })) },
      }),
  ]),
  ...refused('no-property-name', [
    () => event({ eventProperties: { property: [{ name: ' ', value: '1' }] } }),
  ]),
  ...refused('no-property-name', [JSON_PROPERTIES], ['{" ": 1}']),
  ...refused('no-contact', [() => event({ email: '', userId: '' })]),
];

/** Options that hold for all items. */
const OF_THE_RUN = new Set([CONCURRENCY]);

test.each(REFUSED.map(([where, value, code]) => [value, code, where] as const))(
  '%j is refused: %s, at %s',
  async (value, code, where) => {
    const { error } = await setup.run(where(value), [ADA]);
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
  [AUDIENCE, 'No', (sent) => sent['addToAudience'], undefined],
  [TRIAL_USER, 'yes', (sent) => sent['isTrialUser'], true],
  [TO_EMAIL, ' ada@example.com\n', (sent) => sent['email'], 'ada@example.com'],
  [CONTACT_USER, "={{ ' g-42 ' }}", (sent) => sent['userId'], 'g-42'],
  [EVENT_USER, 42, (sent) => sent['userId'], '42'],
  [VARIABLE, 42, (sent) => sent['dataVariables'], { firstName: 42, planName: 'Free' }],
  [VARIABLE, 'Null', (sent) => sent['dataVariables'], { firstName: 'Null', planName: 'Free' }],
  [contactField('teamSize'), '1e3', (sent) => sent['teamSize'], 1000],
  [contactField('companyName'), '={{ $now }}', (sent) => typeof sent['companyName'], 'string'],
  // What tells one person from another may look odd where the input says so.
  [EVENT_USER, '=+{{ 41791234567 }}', (sent) => sent['userId'], '+41791234567'],
  [EVENT_USER, '={{ ["mark.null@example.com"][0] }}', (sent) => sent['userId'], 'mark.null@example.com'],
  [EVENT_USER, '={{ String($json.firstName) }}', (sent) => sent['userId'], 'Ada'],
  [OWN_KEY, '={{ "NaNx8fk29+/Ü=".repeat(30) }}', (sent) => sent['email'], 'ada@example.com'],
  [TO_EMAIL, "={{ ($json.test ? 'test+' : '') + $json.email }}", (sent) => sent['email'], 'ada@example.com'],
  [
    JSON_VARIABLES,
    '{"firstName": "", "planName": 5}',
    (sent) => sent['dataVariables'],
    { firstName: '', planName: 5 },
  ],
  [
    () => update({ fields: { mappingMode: 'defineBelow', value: '={{ ({companyName: "=A"}) }}' } }),
    '',
    (sent) => sent['companyName'],
    '=A',
  ],
  [SUBSCRIBE, 'group-news, group-news', (sent) => sent['subscriptionGroups'], { 'group-news': true }],
  [eventProperty('auto'), "={{ $json.none ?? '' }}", (sent) => sent['eventProperties'], undefined],
  [JSON_PROPERTIES, '', (sent) => sent['eventProperties'], undefined],
];

test.each(TAKEN)('%s: %j is accepted', async (where, value, of, due) => {
  const { error } = await setup.run(where(value), [ADA]);
  expect(error).toBeUndefined();
  expect(of(bodyOf(writes(setup.sandbox)[0]))).toEqual(due);
});
