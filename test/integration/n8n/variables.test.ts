import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { fastClockForTests } from './fast-clock.js';
import { AUTO_MAPPED, bodyOf, emailParameters, locator, mapped, setUpForFile, writes } from './support.js';

fastClockForTests(50);
const setup = setUpForFile();

const ADA = { email: 'ada@example.com', firstName: 'Ada', planName: 'Pro' };

async function run(dataVariables: INodeParameters, more: INodeParameters = {}, json: IDataObject = ADA) {
  const outcome = await setup.run({ ...emailParameters(), dataVariables, ...more }, [json]);
  return { ...outcome, sent: bodyOf(writes(setup.sandbox)[0])['dataVariables'] };
}

test.each([
  ['={{ $json.missing }}', '{{ $json.missing }} has no value', "Add ?? '' to a value that may be empty"],
  ['={{ null }}', '{{ null }} has no value', 'Check the names'],
  ['', 'is empty', 'Fill it in'],
  ['  ', 'is empty', 'Fill it in'],
  [undefined, 'is empty', 'Fill it in'],
])('a variable without a value stops the item: %s', async (firstName, says, advice) => {
  const values = { ...(firstName === undefined ? {} : { firstName }), planName: 'Pro' };
  const { error } = await run(mapped(values));
  expect(error?.message).toContain("The variable 'firstName'");
  expect(error?.message).toContain(says);
  expect(error?.description).toContain(advice);
  expect(error?.description).toContain("The input has 'email', 'firstName'");
  expect(writes(setup.sandbox)).toEqual([]);
});

test.each([
  ['in a text', 'Hello {{ $json.nmae }}', "The input has 'email', 'body'."],
  ['inside of a field', '{{ $json.body.plan }}', "'body' has 'name'."],
])('a missing name %s: the message lists the names that are there', async (_where, expression, names) => {
  const json = { email: 'ada@example.com', body: { name: 'Ada' } };
  const { error } = await run(mapped({ firstName: `=${expression}`, planName: 'Pro' }), {}, json);
  expect(error?.description).toContain(names);
});

test('an empty computed text is sent, and a hint counts it', async () => {
  const { sent, hints } = await run(
    mapped({ firstName: "={{ $json.nick ?? '' }}", planName: '=Plan: {{ $json.plan }}' }),
    {},
    { ...ADA, plan: '' },
  );
  expect(sent).toEqual({ firstName: '', planName: 'Plan: ' });
  expect(hints).toEqual([
    "In 1 of 1 items (item 0), the variable 'planName' has an empty part.",
    "In 1 of 1 items (item 0), the variable 'firstName' is empty.",
  ]);
});

test('variables as JSON work for a design that an expression chooses', async () => {
  const json = {
    ...{ specifyVariables: 'json', transactionalId: '={{ $json.design }}' },
    dataVariablesJson: '={ "firstName": "{{ $json.firstName }}", "planName": {{ $json.size }} }',
  };
  const { sent } = await run(mapped({}), json, { ...ADA, design: 'design-welcome', size: 3 });
  expect(sent).toEqual({ firstName: 'Ada', planName: 3 });
});

test('a variable that the design does not have is refused', async () => {
  const { error } = await run(mapped({ firstName: 'Ada', planName: 'Pro', frstName: 'Ada' }));
  expect(error?.message).toBe(
    "The email 'Welcome' has no variable 'frstName'. It has: firstName, planName [item 0]",
  );
  expect(error?.description).toContain("choose 'Refresh Variable List'");
  expect(writes(setup.sandbox)).toEqual([]);
});

test('variables of an earlier design that the editor hides are not sent', async () => {
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
  'an expression typed as a fixed text is not sent: %s',
  async (firstName) => {
    const { error } = await run(mapped({ firstName, planName: 'Pro' }));
    expect(error?.message).toContain(
      `The variable 'firstName' of the email 'Welcome' is the text '${firstName}', an expression that was not evaluated`,
    );
    expect(error?.description).toContain("Set the field to 'Expression'");
    expect(writes(setup.sandbox)).toEqual([]);
  },
);

test('braces that are no expression are sent unchanged', async () => {
  const { sent } = await run(mapped({ firstName: 'Ada {{curly}} { }', planName: 'Pro' }));
  expect(sent).toEqual({ firstName: 'Ada {{curly}} { }', planName: 'Pro' });
});

test('automatic mapping of an item without the field lists the fields of the item', async () => {
  const { error } = await run(
    AUTO_MAPPED,
    {},
    { email: 'ada@example.com', 'First name': 'Ada', planName: 'Pro' },
  );
  expect(error?.message).toContain("The variable 'firstName' of the email 'Welcome'");
  expect(error?.description).toContain("The input has 'email', 'First name', 'planName'");
});

test('automatic mapping sends only the variables of the design', async () => {
  const notes = { ...ADA, internalNote: 'difficult customer', nested: { a: 1 } };
  const { sent } = await run(AUTO_MAPPED, {}, notes);
  expect(sent).toEqual({ firstName: 'Ada', planName: 'Pro' });
});

test('an unknown design is refused before anything is sent, and the error says what to do', async () => {
  const { error } = await run(mapped({}), { transactionalId: locator('id', 'design-gone') });
  expect(error?.message).toBe("There is no email design 'design-gone' in the service [item 0]");
  expect(error?.description).toContain("Choose 'Email Design' from the list");
  expect(writes(setup.sandbox)).toEqual([]);
});

test('a fixed text with the word undefined is sent unchanged', async () => {
  const note = 'it says: undefined';
  const { sent } = await run(
    mapped({ firstName: '={{ $json.note }}', planName: '={{ $json["note"] }}' }),
    {},
    { ...ADA, note },
  );
  expect(sent).toEqual({ firstName: note, planName: note });
});

test('a list that fails once fails one item, and is read for the next', async () => {
  setup.sandbox.faults.next({ route: 'listTransactionalEmails', respond: { status: 500 }, times: 6 });
  const { items } = await setup.run(emailParameters(), [ADA, { ...ADA, email: 'bo@example.com' }], {
    settings: { onError: 'continueRegularOutput' },
  });
  expect(items[0]?.json['error']).toContain('the service failed (500)');
  expect(items[1]?.json['success']).toBe(true);
});

test('dates in event properties are Unix seconds, also in JSON and in any time zone', async () => {
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
