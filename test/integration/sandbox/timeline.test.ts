import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import * as z from 'zod/v4-mini';
import { call, forFile } from './call.js';

let sandbox: RunningSandbox;
forFile(async () => (sandbox = await startSandbox()));

const SIGNED_UP = { email: 'new@example.com', eventName: 'signedUp' };
const write = (method: string, path: string, body: unknown) => call(sandbox, method, path, { body });

test('the log shows what each call changed in the account', async () => {
  await write('POST', '/v1/events/send', { ...SIGNED_UP, firstName: 'New' });
  await write('PUT', '/v1/contacts/new%40example.com', {
    ...{ firstName: 'Newer', lastName: null, companyName: 'ACME' },
    subscriptionGroups: { 'group-newsletter': false },
  });
  await write('PUT', '/v1/contacts/new%40example.com', { firstName: 'Newer' });
  await write('PUT', '/v1/contacts/new%40example.com', { firstName: 7 });
  await call(sandbox, 'GET', '/v1/contacts/new%40example.com');
  const none = { emails: [], events: [], contact: null };
  const id = (await sandbox.contacts()).find(({ email }) => email === 'new@example.com')?.id;
  const effects = sandbox.requests().map((entry) => entry.effects);
  expect(effects).toEqual([
    {
      ...{ emails: ['email-1'], events: ['event-1'] },
      contact: {
        ...{ id, isNew: true },
        changes: [
          { field: 'email', before: null, after: 'new@example.com' },
          { field: 'firstName', before: null, after: 'New' },
          { field: 'subscribed', before: null, after: true },
        ],
      },
    },
    {
      ...none,
      contact: {
        ...{ id, isNew: false },
        changes: [
          { field: 'firstName', before: 'New', after: 'Newer' },
          { field: 'companyName', before: null, after: 'ACME' },
          { field: 'subscriptionGroups.group-newsletter', before: null, after: false },
        ],
      },
    },
    { ...none, contact: { id, isNew: false, changes: [] } },
    none,
    none,
  ]);
});

test('the timeline of a contact holds its events, mails and changes in order, with the call behind each', async () => {
  await write('POST', '/v1/events/send', { ...SIGNED_UP, firstName: 'New' });
  sandbox.clock.advance(1000);
  await write('POST', '/v1/transactional', { email: 'New@example.com', transactionalId: 'design-welcome' });
  await write('POST', '/v1/transactional', { email: 'else@example.com', transactionalId: 'design-welcome' });
  sandbox.clock.advance(1000);
  await write('PUT', '/v1/contacts/new%40example.com', { firstName: 'Newer' });
  const id = (await sandbox.contacts()).find(({ email }) => email === 'new@example.com')?.id ?? '';
  const answer = await call(sandbox, 'GET', `/__sandbox/contacts/${id}/timeline`);
  expect(answer.body).toMatchObject({
    items: [
      { kind: 'created', requestId: 'request-1' },
      { kind: 'event', title: 'signedUp', requestId: 'request-1' },
      { kind: 'email', id: 'email-1', requestId: 'request-1' },
      { kind: 'email', id: 'email-2', requestId: 'request-2' },
      { kind: 'changed', requestId: 'request-4', changes: [{ before: 'New', after: 'Newer' }] },
    ],
  });
  expect((await call(sandbox, 'GET', '/__sandbox/contacts/nobody/timeline')).status).toBe(404);
});

test('calls of the same millisecond are in the order in which they were carried out', async () => {
  await call(sandbox, 'PUT', '/__sandbox/clock', { body: { stopped: true } });
  await write('POST', '/v1/events/send', { ...SIGNED_UP, firstName: 'New' });
  await call(sandbox, 'DELETE', '/__sandbox/requests');
  await write('POST', '/v1/events/send', SIGNED_UP);
  await write('PUT', '/v1/contacts/new%40example.com', { firstName: 'Newer' });
  await write('POST', '/v1/events/send', SIGNED_UP);
  await write('PUT', '/v1/contacts/new%40example.com', { firstName: 'Newest' });
  const id = (await sandbox.contacts()).find(({ email }) => email === 'new@example.com')?.id ?? '';
  const { body } = await call(sandbox, 'GET', `/__sandbox/contacts/${id}/timeline`);
  const { items } = z
    .object({ items: z.array(z.object({ kind: z.string(), requestId: z.nullable(z.string()) })) })
    .parse(body);
  const [first, second, third, fourth] = sandbox.requests().map((entry) => entry.id);
  expect(items.map(({ kind, requestId }) => [kind, requestId])).toEqual([
    ['event', null],
    ['email', null],
    ['event', first],
    ['email', first],
    ['changed', second],
    ['event', third],
    ['email', third],
    ['changed', fourth],
  ]);
});
