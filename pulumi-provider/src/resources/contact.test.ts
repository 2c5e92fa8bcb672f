import { fakeService } from '../../testing/fake-service.js';
import type { Answer } from '../../testing/fake-service.js';
import { checkContact, readContact, updateContact } from './contact.js';
import { UNKNOWN } from './host.js';
import type { Raw } from './host.js';

const EMAIL = 'ada@example.com';
const check = async (news: Raw, olds: Raw = {}): Promise<string[]> => {
  const problems = await checkContact(olds, news, fakeService().properties);
  return problems.map(({ property, reason }) => `${property}: ${reason}`);
};

describe('the check of a contact', () => {
  test.each<[Raw, RegExp]>([
    [{ firstName: 'Ada' }, /^: a contact needs an 'email', a 'userId', or both/],
    [{ email: 'ada' }, /^email: must be an email address/],
    [{ email: EMAIL, subscribed: true }, /^subscribed: can only be set to false/],
    [{ email: EMAIL, firstName: 3 }, /^firstName: must be text/],
    [{ email: EMAIL, first_name: 'Ada' }, /^: 'first_name' is not an input of a contact/],
    [{ email: EMAIL, onDelete: 'delete' }, /^onDelete: must be one of retain, unsubscribe, clear/],
    [{ email: EMAIL, createWithEvent: {} }, /^: 'createWithEvent' must be an object with an 'eventName'/],
    [{ email: EMAIL, properties: 3 }, /^: 'properties' must be an object/],
    [{ email: EMAIL, properties: { seats: 'three' } }, /^: 'properties.seats' must be a number, not text/],
    [
      { email: EMAIL, properties: { seats: new Date(0) } },
      /^: 'properties.seats' must be a number, not a date/,
    ],
    [{ email: EMAIL, properties: { endsAt: 'soon' } }, /^: 'properties.endsAt' must be a date/],
    [{ email: EMAIL, properties: { endsAt: 1.5e15 } }, /^: 'properties.endsAt' must be Unix time in seconds/],
    [{ email: EMAIL, properties: { endsAt: new Date(NaN) } }, /^: 'properties.endsAt' is not a valid date/],
    [{ email: EMAIL, properties: { firstName: 'Ada' } }, /^: 'properties.firstName' is a field of its own/],
    [{ email: EMAIL, properties: { 'Team Size': 1 } }, /^: 'Team Size' is not camelCase/],
    [
      { email: EMAIL, subscriptionGroups: { news: 'yes' } },
      /^: 'subscriptionGroups.news' must be true or false/,
    ],
  ])('refuses %j', async (news, says) => {
    const problems = await check(news);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(says);
  });

  it('names every fault at once', async () => {
    await expect(check({ email: 'ada', subscribed: true, properties: { seats: 'x' } })).resolves.toHaveLength(
      3,
    );
  });

  it('refuses a change of email without a userId, and takes it with one', async () => {
    const news = { email: 'new@example.com' };
    expect(await check(news, { email: EMAIL })).toEqual([
      expect.stringMatching(/^email: changes from .*Add a 'userId'/),
    ]);
    await expect(check({ ...news, userId: 'u' }, { email: EMAIL })).resolves.toEqual([]);
    await expect(check(news, { email: EMAIL, userId: 'u' })).resolves.toEqual([]);
  });

  test.each<[Raw]>([
    [{ email: EMAIL, properties: { seats: 3, endsAt: new Date(0), plan: null } }],
    [{ userId: 'u', subscribed: false, subscriptionGroups: { news: true } }],
    [
      {
        email: UNKNOWN,
        subscribed: UNKNOWN,
        properties: UNKNOWN,
        createWithEvent: UNKNOWN,
        onDelete: UNKNOWN,
      },
    ],
    [{ email: EMAIL, properties: { seats: UNKNOWN }, subscriptionGroups: { news: UNKNOWN } }],
    [{ email: EMAIL, createWithEvent: { eventName: 'x', eventProperties: { at: new Date(0) } } }],
  ])('takes %j', async (news) => {
    await expect(check(news)).resolves.toEqual([]);
  });
});

describe('a new email and a new userId at once', () => {
  const before = { email: 'a@example.com', userId: 'u1' };
  const after = { email: 'b@example.com', userId: 'u2' };
  /** The service with one contact, as far as an earlier, broken run brought it. */
  const serviceWith = (contact: { email: string; userId: string }) =>
    fakeService((request): Answer => {
      const [, method, identifier, body = '{}'] =
        /^(\w+) \/v1\/contacts\/(\S+)(?: (.*))?$/.exec(request) ?? [];
      if (identifier !== contact.email && identifier !== contact.userId) return [404, { success: false }];
      if (method === 'PUT') Object.assign(contact, JSON.parse(body));
      return [200, { success: true, id: 'contact-1', ...contact }];
    });

  it.each([
    ['nothing was done', 'a@example.com', 'u1'],
    ['the first step was done', 'b@example.com', 'u1'],
    ['both were done and nobody heard of it', 'b@example.com', 'u2'],
  ])('ends right when %s', async (_name, email, userId) => {
    const contact = { email, userId };
    await expect(updateContact('contact-1', before, after, serviceWith(contact))).resolves.toEqual({
      outs: after,
    });
    expect(contact).toEqual(after);
  });

  it('does not touch another contact that has the new email by now', async () => {
    const service = fakeService((request): Answer => {
      if (request.startsWith('GET') && request.includes('b@example.com')) {
        return [200, { id: 'contact-9', email: 'b@example.com' }];
      }
      return [404, { success: false }];
    });
    await expect(updateContact('contact-1', before, after, service)).rejects.toThrow(
      /is gone from the service/,
    );
    expect(service.received.filter((request) => request.startsWith('PUT /v1/contacts/b@'))).toEqual([]);
  });
});

describe('reading a contact', () => {
  it('keeps what is declared, with the values of the service, and an email that differs in case only', async () => {
    const service = fakeService(() => [
      200,
      { id: 'c', email: 'ADA@example.com', firstName: 'Other', lastName: 'L', seats: null, plan: 'Pro' },
    ]);
    const outs = { email: EMAIL, firstName: 'Ada', properties: { seats: 3, gone: null } };
    await expect(readContact(outs, service)).resolves.toEqual({
      id: 'c',
      outs: { email: EMAIL, firstName: 'Other', properties: { gone: null } },
    });
  });
});
