import { Clock } from '../clock.js';
import { Account } from './account.js';
import { newContact } from './contact-record.js';
import { withEffects } from './effects.js';
import { noJournal } from './journal.js';

test('a created or deleted contact is reported field by field', () => {
  const account = new Account(new Clock(), noJournal);
  const now = account.clock.timestamp();
  const ada = { ...newContact('contact-1', now), email: 'ada@example.com', properties: { plan: 'Pro' } };
  const { effects: made } = withEffects(account, () => account.contacts.put(ada));
  const { effects: deleted } = withEffects(account, () => account.contacts.delete('contact-1'));
  expect(made.contact).toMatchObject({ id: 'contact-1', isNew: true });
  expect(made.contact?.changes).toContainEqual({ field: 'plan', before: null, after: 'Pro' });
  expect(deleted.contact).toMatchObject({ id: 'contact-1', isNew: false });
  expect(deleted.contact?.changes).toContainEqual({
    field: 'email',
    before: 'ada@example.com',
    after: null,
  });
  expect(account.contacts.byEmail('ada@example.com')).toBeUndefined();
});
