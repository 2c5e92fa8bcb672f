import * as pulumi from '@pulumi/pulumi';
import { Contact, ContactProperty, type PropertyType } from 'pulumi-audience';

const stack = pulumi.getStack();
const testers = (new pulumi.Config().get('testers') ?? '').split(',').filter((email) => email !== '');

// The same in every environment, so that emails work in all of them.
const types: Record<string, PropertyType> = { planName: 'string', seats: 'number', trialEndsAt: 'date' };
export const properties = Object.entries(types).map(
  ([name, type]) => new ContactProperty(name, { name, type }).name,
);

// Outside production only testers are contacts, so no customer gets an email by accident.
if (stack !== 'production') {
  // By address: named by their position, all behind one that is removed would become other contacts.
  for (const email of testers) {
    new Contact(`tester-${email}`, {
      email,
      source: `tests of ${stack}`,
      properties: { planName: 'Pro', seats: 3 },
      createWithEvent: { eventName: 'testerAdded' },
    });
  }
}
