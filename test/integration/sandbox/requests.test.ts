import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { forFile } from './call.js';

let sandbox: RunningSandbox;
const { contact, update, signUp } = forFile(async () => (sandbox = await startSandbox()));

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
