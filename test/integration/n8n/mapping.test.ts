import type { Seed } from 'audience-sandbox';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { AUTO_MAPPED, bodyOf, locator, mapped, setUpForFile, writes } from './support.js';

const SEED: Seed = {
  properties: [{ name: 'teamSize', type: 'number', label: 'Team size' }],
  contacts: [{ email: 'ada@example.com' }],
};

const setup = setUpForFile({ seed: SEED });

const PERSON = { email: '={{ $json.email }}', eventName: 'imported' };
const EVENT = { ...PERSON, resource: 'event', operation: 'send' };
const UPSERT = { ...PERSON, resource: 'contact', operation: 'upsert' };

/** What triggers and nodes of CRMs put out; each with somebody who wants no mail, or with what is secret. */
const SHAPES: Record<string, IDataObject> = {
  webhook: { headers: { authorization: 'Bearer s', cookie: 's=1' }, body: { Unsubscribed: 'yes' } },
  HubSpot: { id: '1', properties: { hs_email_optout: 'true', firstname: { value: 'Ada' } } },
  Typeform: { 'OK to email?': false, 'Your name': 'Ada' },
  Stripe: { type: 'customer.updated', data: { object: { metadata: { newsletter: 'no' } } } },
  German: { Abgemeldet: 'ja', Vorname: 'Ada' },
  CSV: { '\uFEFFfirstName': 'Ada', 'E-Mail erlaubt': 'nein' },
};

test.each(Object.entries(SHAPES))('%s: nothing goes out that no person has mapped', async (_name, shape) => {
  const row = { ...shape, email: 'ada@example.com' };
  for (const stored of [
    { ...EVENT, contactFields: AUTO_MAPPED },
    { ...UPSERT, contactFields: AUTO_MAPPED },
    { ...EVENT, specifyProperties: 'auto' },
  ]) {
    const { error } = await setup.run(stored, [row]);
    expect(error?.context['code']).toMatch(/automatic-mapping|misfit/);
    expect(error?.description).not.toBe('');
  }
  expect(writes(setup.sandbox)).toEqual([]);
  for (const mappedByHand of [EVENT, UPSERT, { ...EVENT, contactFields: mapped({ lastName: 'Byron' }) }]) {
    const { error } = await setup.run(mappedByHand, [row]);
    expect(error).toBeUndefined();
  }
  const sent = writes(setup.sandbox).map(bodyOf);
  const named = { email: 'ada@example.com', eventName: 'imported' };
  expect(sent).toEqual([named, named, { ...named, lastName: 'Byron' }]);
});

test.each([
  ['one object', '={{ { firstName: $json.name, teamSize: "7" } }}'],
  ['a JSON text', '={ "firstName": "{{ $json.name }}", "teamSize": "7" }'],
])('Create or Update by JSON, %s: values get the types of their properties', async (_what, json) => {
  const upsert = { ...UPSERT, specifyContactFields: 'json', contactFieldsJson: json };
  const { error } = await setup.run(upsert, [{ email: 'ada@example.com', name: 'Ada' }]);
  expect(error).toBeUndefined();
  expect(bodyOf(writes(setup.sandbox)[0])).toMatchObject({ firstName: 'Ada', teamSize: 7 });
});

test.each([
  ['={{ $json }}', 'field-cannot-be-set'],
  ['{"plan": "Pro"}', 'unknown-field'],
  ['{"subscribed": true}', 'field-cannot-be-set'],
])('Create or Update by JSON %s sends no field that a contact does not have', async (json, code) => {
  const upsert = { ...UPSERT, specifyContactFields: 'json', contactFieldsJson: json };
  const { error } = await setup.run(upsert, [{ email: 'ada@example.com', plan: 'Pro' }]);
  expect(error?.context['code']).toBe(code);
  expect(writes(setup.sandbox)).toEqual([]);
});

test.each([
  ['={{ $json }}', ["In 1 of 1 items (item 0), a whole item was sent, with 'email', 'plan'."]],
  [
    '={{ { ...$json, email: undefined } }}',
    ["In 1 of 1 items (item 0), a whole item was sent, with 'plan'."],
  ],
  ["={{ $('Trigger').item.json }}", [expect.stringContaining("'email', 'plan'")]],
  ['={{ { plan: $json.plan } }}', []],
  ['={{ { plan: $json["plan"] } }}', []],
])('properties of an event by %s: a hint names the fields of a whole item', async (json, due) => {
  const event = { ...EVENT, specifyProperties: 'json', eventPropertiesJson: json };
  const { error, hints } = await setup.run(event, [{ email: 'ada@example.com', plan: 'Pro' }]);
  expect(error).toBeUndefined();
  expect(hints).toEqual(due);
  expect((await setup.sandbox.events())[0]?.properties).toMatchObject({ plan: 'Pro' });
});

describe('Contact > Update maps automatically', () => {
  const update = (more: INodeParameters = {}): INodeParameters => ({
    ...{ resource: 'contact', operation: 'update', contact: locator('email', '={{ $json.email }}') },
    ...{ fields: AUTO_MAPPED, ...more },
  });

  test('a hint names the columns that were not used, whatever their words', async () => {
    const fields = { firstName: 'Ada', lastName: '', teamSize: '7' };
    const row = { email: 'ada@example.com', ...fields, Unsubscribed: 'yes', Nested: { a: 1 }, Empty: '' };
    const { error, hints } = await setup.run(update(), [row]);
    expect(error).toBeUndefined();
    expect(hints).toEqual([
      "In 1 of 1 items (item 0), 'Unsubscribed', 'Nested' of the input was not used, as no contact field has this name.",
    ]);
    expect(bodyOf(writes(setup.sandbox)[0])).toEqual({ firstName: 'Ada', teamSize: 7 });
  });

  test('a byte order mark and spaces around a name are ignored', async () => {
    const row = { '\uFEFFfirstName': 'Ada', ' lastName ': 'Lovelace', email: 'ada@example.com' };
    const { hints } = await setup.run(update(), [row]);
    expect(hints).toEqual([]);
    expect(bodyOf(writes(setup.sandbox)[0])).toEqual({ firstName: 'Ada', lastName: 'Lovelace' });
  });
});
