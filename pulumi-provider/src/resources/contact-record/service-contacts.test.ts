import { AudienceClient } from 'audience-core';
import { lookUp, update } from './service-contacts.js';

type Reply = readonly [status: number, body: unknown];
const REFUSED: Reply = [200, { success: false }];
const UNKNOWN: Reply = [400, { error: 'no such contact' }];
const CONTACT: Reply = [200, { id: 'contact-1', email: 'ada@example.com' }];

/** A client of a service that gives these replies, and what it was asked. */
function serviceOf(...replies: readonly Reply[]) {
  const asked: string[] = [];
  const client = new AudienceClient({
    apiKey: 'key',
    baseUrl: 'https://audience.example.com',
    transport: ({ method }) => {
      const [status, body] = replies[asked.length] ?? [500, {}];
      asked.push(method);
      return Promise.resolve({ status, headers: {}, body: JSON.stringify(body) });
    },
    maxRetries: 0,
  });
  return { client, asked };
}

const CHANGES = { firstName: 'Ada' };

test.each([400, 404])('a contact that is not there: %d', async (status) => {
  expect(await lookUp(serviceOf([status, {}]).client, 'ada@example.com')).toBeUndefined();
  const { client, asked } = serviceOf([status, {}], [status, {}]);
  expect(await update(client, 'ada@example.com', CHANGES)).toBeUndefined();
  expect(asked).not.toContain('POST');
  expect(await update(serviceOf([status, {}]).client, 'ada@example.com', {})).toBeUndefined();
});

test('an update that is refused with 200: a look tells that it is the contact', async () => {
  const { client, asked } = serviceOf(REFUSED, UNKNOWN);
  expect(await update(client, 'ada@example.com', CHANGES)).toBeUndefined();
  expect(asked).toEqual(['PUT', 'GET']);
});

test('or the values, which stay an error', async () => {
  for (const refusal of [REFUSED, UNKNOWN]) {
    const { client, asked } = serviceOf(refusal, CONTACT, refusal);
    await expect(update(client, 'ada@example.com', CHANGES)).rejects.toThrow(/Could not update contact/);
    expect(asked).toEqual(['PUT', 'GET', 'PUT']);
  }
});

test('a contact that begins to show between update and look is updated', async () => {
  const { client } = serviceOf(REFUSED, CONTACT, [200, { success: true, id: 'contact-1' }]);
  expect(await update(client, 'ada@example.com', CHANGES)).toEqual({ id: 'contact-1' });
});
