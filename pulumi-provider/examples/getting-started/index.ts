import { Contact, ContactProperty } from 'pulumi-audience';

// What contacts of this account can hold, one property of each type. They stay: the API has no call
// that changes the type of a property or deletes one.
const planName = new ContactProperty('plan-name', { name: 'planName', type: 'string' });
const seats = new ContactProperty('seats', { name: 'seats', type: 'number' });
const onTrial = new ContactProperty('on-trial', { name: 'onTrial', type: 'boolean' });
const trialEndsAt = new ContactProperty('trial-ends-at', { name: 'trialEndsAt', type: 'date' });

// A contact to test emails with. If it does not exist, the event creates it.
const tester = new Contact('tester', {
  email: 'tester@example.com',
  firstName: 'Tess',
  properties: {
    planName: 'Pro',
    seats: 3,
    onTrial: true,
    trialEndsAt: new Date('2027-01-31T00:00:00Z'),
  },
  createWithEvent: { eventName: 'testerAdded' },
});

export const properties = [planName.name, seats.name, onTrial.name, trialEndsAt.name];
export const contactId = tester.id;
