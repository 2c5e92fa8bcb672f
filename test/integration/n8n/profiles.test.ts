import type { Preset } from 'audience-sandbox';
import { fastClockForTests } from './fast-clock.js';
import { emailParameters, locator, mapped, setUpForFile } from './support.js';

const INPUT = [{ email: 'ada@example.com', firstName: 'Ada' }];

// All other tests are of the default kind. What the others respond is read by the core, whose tests play all of them.
describe.each<Preset>(['lean', 'awkward'])('a service of the kind %s', (preset) => {
  fastClockForTests(20);
  const setup = setUpForFile({ profile: { preset } });

  test('an email and an event whose responses are lost arrive once', async () => {
    setup.sandbox.faults.next({ respond: { status: 503 }, when: 'after', route: 'sendTransactionalEmail' });
    setup.sandbox.faults.next({ cut: true, when: 'after', route: 'sendEvent' });
    const email = await setup.run(emailParameters(), INPUT);
    const signedUp = { resource: 'event', operation: 'send', eventName: 'signedUp' };
    const event = await setup.run({ ...signedUp, email: '={{ $json.email }}' }, INPUT);
    // A used key proves nothing where the credential does not say what its refusal means.
    for (const { items, error } of [email, event]) {
      if (preset === 'awkward') expect(error?.httpCode).toMatch(/^4/);
      else expect(items[0]?.json).toMatchObject({ success: true });
    }
    expect(setup.sandbox.emails().map(({ to }) => to)).toEqual(['ada@example.com', 'ada@example.com']);
    expect(setup.sandbox.events()).toHaveLength(1);
  });

  test('a contact is updated and read', async () => {
    const contact = locator('email', 'ada@example.com');
    await setup.run({
      resource: 'contact',
      operation: 'update',
      contact,
      fields: mapped({ lastName: 'Byron' }),
    });
    const { items } = await setup.run({ resource: 'contact', operation: 'get', contact });
    expect(items[0]?.json).toMatchObject({ email: 'ada@example.com', lastName: 'Byron', teamSize: 2 });
    expect(items[0]?.json).toMatchObject({ subscriptionGroups: ['group-newsletter'] });
  });
});
