import type { EmailRecord } from '../account/records.js';
import { searchEmails, unknownOperators } from './search.js';

const email = (id: string, fields: Partial<EmailRecord>): EmailRecord => ({
  id,
  time: '2026-01-01T00:00:00.000Z',
  to: `${id}@example.com`,
  subject: 'Hello there',
  transactionalId: 'design-hello',
  design: 'Greeting',
  eventId: null,
  eventName: null,
  contactId: null,
  variables: {},
  missingVariables: [],
  surplusVariables: [],
  key: null,
  read: false,
  templateId: 't',
  ...fields,
});

const EMAILS = [
  email('ada', { variables: { plan: 'Pro plan' }, read: true }),
  email('bob', { eventName: 'signedUp', transactionalId: null, design: 'Onboarding' }),
  email('cleo', { subject: 'Order 17: paid', key: 'order-17', missingVariables: ['name'] }),
];

test.each([
  ['', 'cleo bob ada'],
  ['   ', 'cleo bob ada'],
  ['to:ADA', 'ada'],
  ['-to:ada', 'cleo bob'],
  ['!to:ada', 'cleo bob'],
  ['design:greet', 'cleo ada'],
  ['design:design-hello', 'cleo ada'],
  ['event:signed', 'bob'],
  ['-event:signed is:unread', 'cleo'],
  ['is:read', 'ada'],
  ['is:incomplete', 'cleo'],
  ['key:order', 'cleo'],
  ['"pro plan"', 'ada'],
  ['subject:"hello there" -is:read', 'bob'],
  ['hello pro', 'ada'],
  // Not a field that is known: words as they stand.
  ['17:', 'cleo'],
  ['is:strange', ''],
  ['"unclosed', ''],
  // Not typed to its end yet.
  ['-', 'cleo bob ada'],
  ['to:', 'cleo bob ada'],
  ['is:unread -event:', 'cleo bob'],
  ['to:"', 'cleo bob ada'],
])('%j finds %j, the newest first', (search, found) => {
  expect(
    searchEmails(EMAILS, search)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(found);
});

test.each([
  ['from:ada is:strange -has:link', 'from:, is:strange, has:'],
  ['to:ada subject:"from: me" key:k !event:e design:d is:unread is:read is:incomplete', ''],
  // No operators: times, addresses of pages, and what is not typed to its end yet.
  ['10:30 https://example.com 17: is:un is: -', ''],
])('%j has the unknown operators %j', (search, unknown) => {
  expect(unknownOperators(search).join(', ')).toBe(unknown);
});
