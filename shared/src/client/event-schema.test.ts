import { answer, startScriptedServer } from '../../testing/scripted-server.js';
import type { ScriptedServer } from '../../testing/scripted-server.js';
import { AudienceClient, ValidationError, defineEventSchema } from '../index.js';

const eventSchema = defineEventSchema({
  orderPlaced: { total: 'number', paidAt: 'date', lines: 'json' },
  signedUp: {},
});

let server: ScriptedServer;
let audience: AudienceClient<Record<string, never>, Record<string, never>, typeof eventSchema>;
beforeAll(async () => {
  server = await startScriptedServer();
  audience = new AudienceClient({ baseUrl: server.url, apiKey: 'key', eventSchema });
});
beforeEach(() => {
  server.received.length = 0;
  server.script(answer(200, { success: true }));
});
afterAll(async () => {
  audience.close();
  await server.close();
});

const contact = { email: 'ada@example.com' };

test('an event with the properties of its schema is sent', async () => {
  await audience.events.send({
    ...contact,
    eventName: 'orderPlaced',
    eventProperties: { total: 42.5, paidAt: new Date(1_767_225_600_000), lines: [{ price: 42.5 }] },
  });
  await audience.events.send({ ...contact, eventName: 'signedUp' });
  expect(server.received).toHaveLength(2);
});

/** What an event is refused for, before anything is sent. */
async function refusal(call: Promise<unknown>): Promise<object[]> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  expect(server.received).toHaveLength(0);
  return error instanceof ValidationError ? error.issues.map((issue) => ({ ...issue })) : [];
}

test('an event that the schema does not have is red in the editor and is not sent', async () => {
  // @ts-expect-error: the compiler sees it too
  const call = audience.events.send({ ...contact, eventName: 'orderPlacd' });
  expect(await refusal(call)).toMatchObject([
    { path: ['eventName'], code: 'unknownEvent', wayOut: 'orderPlaced' },
  ]);
});

test('a misspelt property is red in the editor and is not sent', async () => {
  const call = audience.events.send({
    ...contact,
    eventName: 'orderPlaced',
    // @ts-expect-error: the compiler sees it too
    eventProperties: { totl: 42.5 },
  });
  expect(await refusal(call)).toMatchObject([
    { path: ['eventProperties', 'totl'], code: 'unknownEventProperty', wayOut: 'total' },
  ]);
});

test('a value of another type is red in the editor and is not sent', async () => {
  // @ts-expect-error: the compiler sees it too
  const call = audience.events.send({
    ...contact,
    eventName: 'orderPlaced',
    eventProperties: { total: '42.5', paidAt: new Date(Number.NaN) },
  });
  expect(await refusal(call)).toMatchObject([
    { path: ['eventProperties', 'paidAt'], code: 'wrongType', given: 'invalidDate' },
    { path: ['eventProperties', 'total'], code: 'wrongType', expected: 'number', given: 'string' },
  ]);
});

test.each([
  ['no object', 'orderPlaced', { path: [], code: 'wrongType' }],
  ['an event without properties', { orderPlaced: 'total' }, { path: ['orderPlaced'], code: 'wrongType' }],
  [
    'an unknown type',
    { orderPlaced: { total: 'float' } },
    { path: ['orderPlaced', 'total'], code: 'notOneOf' },
  ],
])('a schema that is wrong is refused: %s', (_, schema, problem) => {
  let thrown: unknown;
  try {
    // @ts-expect-error: JavaScript hands over anything
    defineEventSchema(schema);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ name: 'ValidationError', issues: [problem] });
});
