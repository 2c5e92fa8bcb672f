import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { forFile } from './call.js';

let sandbox: RunningSandbox;
const { contact, update, welcome, signUp, control } = forFile(async () => (sandbox = await startSandbox()));

const NEW = 'new@example.com';
const idOfNew = async () => (await sandbox.contacts({ email: NEW }))[0]?.id ?? '';

test('the log shows what each call changed in the account', async () => {
  await signUp(NEW, undefined, { firstName: 'New' });
  await update(NEW, {
    ...{ firstName: 'Newer', lastName: null, companyName: 'ACME' },
    subscriptionGroups: { 'group-newsletter': false },
  });
  await update(NEW, { firstName: 'Newer' });
  await update(NEW, { firstName: 7 });
  await contact(NEW);
  const none = { emails: [], events: [], contact: null };
  const id = await idOfNew();
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
  // Of one millisecond: they are in the order in which they were carried out.
  await control('PUT', '/clock', { stopped: true });
  await signUp(NEW, undefined, { firstName: 'New' });
  await control('DELETE', '/requests');
  await welcome('New@example.com');
  await welcome('else@example.com');
  await signUp(NEW);
  await update(NEW, { firstName: 'Newer' });
  await signUp(NEW);
  const [email, , first, change, second] = sandbox.requests().map(({ id }) => id);
  const { body } = await control('GET', `/contacts/${await idOfNew()}/timeline`);
  expect(body).toMatchObject({
    items: [
      { kind: 'event', title: 'signedUp', requestId: null },
      { kind: 'email', id: 'email-1', requestId: null },
      { kind: 'email', id: 'email-2', requestId: email },
      { kind: 'event', requestId: first },
      { kind: 'email', requestId: first },
      { kind: 'changed', requestId: change, changes: [{ before: 'New', after: 'Newer' }] },
      { kind: 'event', requestId: second },
      { kind: 'email', requestId: second },
    ],
  });
  expect((await control('GET', '/contacts/nobody/timeline')).status).toBe(404);
});

test('the timeline begins with the call that created the contact', async () => {
  await signUp(NEW);
  const { body } = await control('GET', `/contacts/${await idOfNew()}/timeline`);
  expect(body).toMatchObject({
    items: ['created', 'event', 'email'].map((kind) => ({ kind, requestId: 'request-1' })),
  });
});
