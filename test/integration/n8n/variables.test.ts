import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { AUTO_MAPPED, bodyOf, emailParameters, locator, mapped, setUpForFile, writes } from './support.js';

const setup = setUpForFile();

const ADA = { email: 'ada@example.com', firstName: 'Ada', planName: 'Pro' };

async function run(dataVariables: INodeParameters, more: INodeParameters = {}, json: IDataObject = ADA) {
  const outcome = await setup.run({ ...emailParameters(), dataVariables, ...more }, [json]);
  return { ...outcome, sent: bodyOf(writes(setup.sandbox)[0])['dataVariables'] };
}

test.each([
  ['an expression that gives nothing', { firstName: '={{ $json.missing }}', planName: 'Pro' }],
  ['null', { firstName: '={{ null }}', planName: 'Pro' }],
  ['left empty', { firstName: '', planName: 'Pro' }],
  ['blanks', { firstName: '  ', planName: 'Pro' }],
  ['not in the list', { planName: 'Pro' }],
])('a variable without a value stops the item: %s', async (_what, values) => {
  const { error } = await run(mapped(values));
  expect(error?.message).toBe(
    "The variable 'firstName' of the email 'Welcome' to 'ada@example.com' has no value [item 0]",
  );
  expect(error?.description).toContain("choose it in 'Variables That May Be Empty'");
  expect(writes(setup.sandbox)).toEqual([]);
});

test('of a misspelt column the columns are told, and no default that everybody would get', async () => {
  const { error } = await run(mapped({ firstName: '={{ $json.firstname }}', planName: 'Pro' }));
  expect(error?.description).toContain("The input has 'email', 'firstName'");
  expect(error?.description).not.toContain('friend');
});

test('and so it is within a text', async () => {
  const { error } = await run(mapped({ firstName: '=Hi {{ $json.firstname }}!', planName: 'Pro' }));
  expect(error?.description).toContain("Correct the expression. The input has 'email', 'firstName'");
});

test('a name with a hyphen is told to need brackets', async () => {
  const { error } = await run(mapped({ firstName: '={{ $json.First-Name }}', planName: 'Pro' }));
  expect(error?.message).toContain('is NaN');
  expect(error?.description).toContain("{{ $json['E-Mail'] }}");
});

test('of a column that is empty in this item a default is told', async () => {
  const { error } = await run(
    mapped({ firstName: '={{ $json.name }}', planName: 'Pro' }),
    {},
    { email: 'ada@example.com', name: '' },
  );
  expect(error?.description).toContain("{{ $json.name || 'friend' }}");
});

test('all that are missing are named', async () => {
  const { error } = await run(mapped({}));
  expect(error?.message).toContain(
    "The variables 'firstName', 'planName' of the email 'Welcome' to 'ada@example.com' have no value",
  );
});

test("one that is chosen in 'Variables That May Be Empty' goes out as an empty text", async () => {
  const { sent } = await run(mapped({ firstName: '', planName: 'Pro' }), { sendEmpty: ['firstName'] });
  expect(sent).toEqual({ firstName: '', planName: 'Pro' });
});

test("one that is chosen in 'Variables That May Be Empty' and has a value goes out with it", async () => {
  const { sent } = await run(mapped({ firstName: 'Ada', planName: 0 }), { sendEmpty: 'firstName' });
  expect(sent).toEqual({ firstName: 'Ada', planName: 0 });
});

test('a variable that the design does not have is refused', async () => {
  const { error } = await run(mapped({ firstName: 'Ada', planName: 'Pro', frstName: 'Ada' }));
  expect(error?.message).toBe("The email 'Welcome' has no variable 'frstName' [item 0]");
  expect(error?.description).toContain('It has: firstName, planName.');
  expect(writes(setup.sandbox)).toEqual([]);
});

test('what the editor kept of another design, and hides, is left out', async () => {
  const schema = ['firstName', 'planName'].map((id) => ({
    id,
    displayName: id,
    type: 'string',
    display: true,
  }));
  const { sent } = await run({ ...mapped({ firstName: 'Ada', planName: 'Pro', total: 5 }), schema });
  expect(sent).toEqual({ firstName: 'Ada', planName: 'Pro' });
});

test.each(['Hello {{ $json.firstName }}', "{{ $('Sheet').item.json.name }}", '{{$now}}'])(
  'an expression that was typed as a fixed text is not what people get: %s',
  async (firstName) => {
    const { error } = await run(mapped({ firstName, planName: 'Pro' }));
    expect(error?.message).toContain(
      `The variable 'firstName' is the text '${firstName}', an expression that was not evaluated`,
    );
    expect(error?.description).toContain('An expression stands in two braces on each side');
    expect(writes(setup.sandbox)).toEqual([]);
  },
);

test('braces that are no expression of n8n go out as they are', async () => {
  const { sent } = await run(mapped({ firstName: 'Ada {{curly}} { }', planName: 'Pro' }));
  expect(sent).toEqual({ firstName: 'Ada {{curly}} { }', planName: 'Pro' });
});

test('automatic mapping of an item without the field says what the item has', async () => {
  const { error } = await run(
    AUTO_MAPPED,
    {},
    { email: 'ada@example.com', 'First name': 'Ada', planName: 'Pro' },
  );
  expect(error?.message).toContain("The variable 'firstName' of the email 'Welcome'");
  expect(error?.description).toContain(
    "'Map Automatically' takes it from the field of that very name in the input, which has: email, First name, planName.",
  );
});

test('automatic mapping sends what the design lists, and nothing else of the item', async () => {
  const notes = { ...ADA, internalNote: 'difficult customer', nested: { a: 1 } };
  const { sent } = await run(AUTO_MAPPED, {}, notes);
  expect(sent).toEqual({ firstName: 'Ada', planName: 'Pro' });
});

test('an unknown design is refused before anything is sent, with a way out', async () => {
  const { error } = await run(mapped({}), { transactionalId: locator('id', 'design-gone') });
  expect(error?.message).toBe("There is no email design 'design-gone' in the service [item 0]");
  expect(error?.description).toContain("Choose 'Email Design' from the list");
  expect(writes(setup.sandbox)).toEqual([]);
});

test.each([
  ['={{ "Dear " + $json.nope }}', "is the text 'Dear undefined', in which $json.nope has no value"],
  ['$json.email', "is the text '$json.email', an expression that was not evaluated"],
  ['#N/A', "is the text '#N/A'"],
  ['={{ $now }}', 'must be text or a number, and a date written as people should read it'],
  ['={{ true }}', 'must be text or a number, but is true'],
  ['={{ [1, 2] }}', 'must be text or a number, not a list'],
  ['={{ {a: 1} }}', 'must be text or a number, not an object'],
  ['={{ NaN }}', 'must be text or a number'],
  ['={{ "" + {} }}', "is the text '[object Object]'"],
  ['={{ "" + undefined }}', "is the text 'undefined'"],
])('%s as a variable is refused', async (firstName, message) => {
  const { error } = await run(mapped({ firstName, planName: 'Pro' }));
  expect(error?.message).toContain(`The variable 'firstName' ${message}`);
  expect(writes(setup.sandbox)).toEqual([]);
});

test("a person's own text with the word undefined in it goes out as it is", async () => {
  const note = 'it says: undefined';
  const { sent } = await run(
    mapped({ firstName: '={{ $json.note }}', planName: '={{ $json["note"] }}' }),
    {},
    { ...ADA, note },
  );
  expect(sent).toEqual({ firstName: note, planName: note });
});

test('of a hole only a field that the expression names can say the word', async () => {
  const amount = { firstName: "={{ 'CHF ' + Number($json.amount) }}", planName: 'Pro' };
  const hole = await run(mapped(amount), {}, { ...ADA, amount: 'x', note: 'NaN is a flat bread' });
  expect(hole.error?.message).toContain("The variable 'firstName' is the text 'CHF NaN'");
  const said = { firstName: "={{ 'They say: ' + $json.note }}", planName: 'Pro' };
  const { sent } = await run(mapped(said), {}, { ...ADA, note: 'NaN is a flat bread' });
  expect(sent).toEqual({ firstName: 'They say: NaN is a flat bread', planName: 'Pro' });
});

test('a list that fails once fails one item, and is asked for again for the next', async () => {
  setup.sandbox.faults.next({ route: 'listTransactionalEmails', status: 500 });
  const { items } = await setup.run(
    { ...emailParameters({ retries: 0 }) },
    [ADA, { ...ADA, email: 'bo@example.com' }],
    {
      settings: { onError: 'continueRegularOutput' },
    },
  );
  expect(items[0]?.json['error']).toContain('the service failed (500)');
  expect(items[1]?.json['success']).toBe(true);
});

test('dates in event properties are Unix seconds, also inside of JSON, and whatever the zone of the workflow', async () => {
  const event = (properties: INodeParameters): INodeParameters => ({
    resource: 'event',
    operation: 'send',
    eventName: 'signedUp',
    email: 'ada@example.com',
    ...properties,
  });
  const when = "DateTime.fromISO('2026-01-31T00:00:00Z')";
  const options = { workflowSettings: { timezone: 'Asia/Tokyo' } };
  const json = event({ specifyProperties: 'json', eventPropertiesJson: `={{ { when: ${when} } }}` });
  await setup.run(json, [{}], options);
  const property = [{ name: 'when', type: 'auto', value: `={{ ${when} }}` }];
  await setup.run(event({ specifyProperties: 'fields', eventProperties: { property } }), [{}], options);
  const seconds = Date.UTC(2026, 0, 31) / 1000;
  expect(setup.sandbox.events().map(({ eventProperties }) => eventProperties)).toEqual([
    { when: seconds },
    { when: seconds },
  ]);
});

test('a variable that is the name of a column is told, and goes out', async () => {
  const variables = { firstName: 'First name', planName: 'Free' };
  const { hints } = await setup.run(emailParameters({}, variables), [
    { email: 'ada@example.com', 'First name': 'Ada' },
  ]);
  expect(hints.join()).toContain(
    "In 1 of 1 item (item 0), the variable 'firstName' is the text 'First name', the name of a column, whose value would be {{ $json['First name'] }}.",
  );
  expect(setup.sandbox.emails()[0]?.dataVariables['firstName']).toBe('First name');
});

test('a property of a JSON for which there is no column is told with the columns', async () => {
  const json = {
    specifyProperties: 'json',
    eventPropertiesJson: '={ "total": "{{ $json.Totl }}", "shop": "acme" }',
  };
  const event = {
    resource: 'event',
    operation: 'send',
    eventName: 'ordered',
    email: 'ada@example.com',
    ...json,
  };
  const { hints } = await setup.run(event, [{ Total: 5 }]);
  expect(hints).toEqual([
    "In 1 of 1 item (item 0), the event property 'total' was left out, as there was no value for it. The input has 'Total'.",
  ]);
});
