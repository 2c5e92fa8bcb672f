import type { Seed } from 'audience-sandbox';
import { AUTO_MAPPED, bodyOf, locator, mapped, setUpForFile, writes } from './support.js';

const SEED: Seed = {
  properties: [{ name: 'teamSize', type: 'number', label: 'Team size' }],
  contacts: [{ email: 'ada@example.com' }],
};

const setup = setUpForFile({ seed: SEED });

const PERSON = { email: '={{ $json.email }}', eventName: 'imported' };
const EVENT = { ...PERSON, resource: 'event', operation: 'send' };
const UPSERT = { ...PERSON, resource: 'contact', operation: 'upsert' };

test('nothing goes out that no person has mapped', async () => {
  const row = {
    headers: { cookie: 's=1' },
    firstName: 'Ada',
    'E-Mail erlaubt': 'nein',
    email: 'ada@example.com',
  };
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
  '={{ { firstName: $json.name, teamSize: "7" } }}',
  '={ "firstName": "{{ $json.name }}", "teamSize": "7" }',
])('Create or Update by JSON %s: values get the types of their properties', async (json) => {
  const upsert = { ...UPSERT, specifyContactFields: 'json', contactFieldsJson: json };
  const { error } = await setup.run(upsert, [{ email: 'ada@example.com', name: 'Ada' }]);
  expect(error).toBeUndefined();
  expect(bodyOf(writes(setup.sandbox)[0])).toMatchObject({ firstName: 'Ada', teamSize: 7 });
});

test.each([
  ['={{ $json }}', 'field-cannot-be-set'],
  ['{"plan": "Pro"}', 'unknown-field'],
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
])('properties of an event by %s: a hint names the fields of a whole item', async (json, due) => {
  const event = { ...EVENT, specifyProperties: 'json', eventPropertiesJson: json };
  const { error, hints } = await setup.run(event, [{ email: 'ada@example.com', plan: 'Pro' }]);
  expect(error).toBeUndefined();
  expect(hints).toEqual(due);
  expect((await setup.sandbox.events())[0]?.properties).toMatchObject({ plan: 'Pro' });
});

test('Contact > Update maps automatically: a hint names the columns that were not used', async () => {
  const contact = locator('email', '={{ $json.email }}');
  // A file often begins with an invisible mark.
  const fields = { '\uFEFFfirstName': 'Ada', ' lastName ': '', teamSize: '7' };
  const unused = { Unsubscribed: 'yes', Nested: { a: 1 }, Empty: '' };
  const update = { resource: 'contact', operation: 'update', contact, fields: AUTO_MAPPED };
  const { error, hints } = await setup.run(update, [{ email: 'ada@example.com', ...fields, ...unused }]);
  expect(error).toBeUndefined();
  expect(hints).toEqual([
    "In 1 of 1 items (item 0), 'Unsubscribed', 'Nested' of the input was not used, as no contact field has this name.",
  ]);
  expect(bodyOf(writes(setup.sandbox)[0])).toEqual({ firstName: 'Ada', teamSize: 7 });
});
