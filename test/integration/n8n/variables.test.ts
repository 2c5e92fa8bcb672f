import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { fastClockForTests } from './clocks.js';
import { AUTO_MAPPED, bodyOf, emailParameters, mapped, setUpForFile, writes } from './support.js';

fastClockForTests(50);
const setup = setUpForFile();

const ADA = { email: 'ada@example.com', firstName: 'Ada', planName: 'Pro' };

async function run(dataVariables: INodeParameters, more: INodeParameters = {}, json: IDataObject = ADA) {
  const outcome = await setup.run({ ...emailParameters(), dataVariables, ...more }, [json]);
  return { ...outcome, sent: bodyOf(writes(setup.sandbox)[0])['dataVariables'] };
}

test.each([
  ['', 'empty'],
  [undefined, 'unlisted'],
  ['Hello {{ $json.firstName }}', 'not-evaluated'],
  ['{{$now}}', 'not-evaluated'],
])('a variable without a value stops the item: %s', async (firstName, code) => {
  const { error } = await run(mapped({ ...(firstName === undefined ? {} : { firstName }), planName: 'Pro' }));
  expect(error?.context).toMatchObject({ code, subject: { kind: 'variable', name: 'firstName' } });
  expect(writes(setup.sandbox)).toEqual([]);
});

test('an empty computed text is sent, and a hint counts it', async () => {
  const { sent, hints } = await run(
    mapped({ firstName: "={{ $json.nick ?? '' }}", planName: '=Plan: {{ $json.plan }}' }),
    {},
    { ...ADA, plan: '' },
  );
  expect(sent).toEqual({ firstName: '', planName: 'Plan: ' });
  expect(hints).toEqual([
    "In 1 of 1 items (item 0), the variable 'firstName' is empty.",
    "In 1 of 1 items (item 0), the variable 'planName' has an empty part.",
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

test.each([
  ['in the fields', mapped({ firstName: 'Ada', planName: 'Pro', total: 5 }), {}],
  [
    'in JSON',
    mapped({}),
    { specifyVariables: 'json', dataVariablesJson: '{"firstName":"Ada","planName":"Pro","total":5}' },
  ],
])(
  'a value under a variable that the design does not have is dropped with a hint, %s',
  async (_where, fields, more) => {
    const { sent, hints } = await run(fields, more);
    expect(sent).toEqual({ firstName: 'Ada', planName: 'Pro' });
    expect(hints).toEqual([expect.stringContaining("'total' was not sent")]);
  },
);

test('a list that fails once fails one item, and is read for the next', async () => {
  setup.sandbox.faults.next({ route: 'listTransactionalEmails', respond: { status: 500 }, times: 6 });
  const { items } = await setup.run(emailParameters(), [ADA, { ...ADA, email: 'bo@example.com' }], {
    settings: { onError: 'continueRegularOutput' },
  });
  expect(items[0]?.json['error']).toContain('the service failed (500)');
  expect(items[1]?.json['success']).toBe(true);
});

const lines = [{ name: 'Lamp', price: 12.5, tags: ['new'] }, { name: 'Desk' }];
const order = { no: 'A-1', address: { zip: '8000', annex: null } };

test.each<[string, INodeParameters, INodeParameters]>([
  ['fields', mapped({ firstName: '={{ $json.lines }}', planName: '={{ $json.order }}' }), {}],
  ['automatic mapping', AUTO_MAPPED, {}],
  [
    'a JSON text',
    mapped({}),
    {
      specifyVariables: 'json',
      dataVariablesJson:
        '={"firstName":{{ JSON.stringify($json.lines) }},"planName":{{ JSON.stringify($json.order) }}}',
    },
  ],
])('lists and objects are sent as they are, by %s', async (_way, fields, more) => {
  const { sent } = await run(fields, more, { ...ADA, lines, order, firstName: lines, planName: order });
  expect(sent).toEqual({ firstName: lines, planName: order });
});
