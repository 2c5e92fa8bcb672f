import * as pulumi from '@pulumi/pulumi';
import { ContactSchema } from 'pulumi-audience';

const stack = pulumi.getStack();
const testers = (new pulumi.Config().get('testers') ?? '').split(',').filter((email) => email !== '');

// The same for every environment, so that a mail that works in one works in all.
const crm = new ContactSchema('crm', {
  properties: { planName: 'string', seats: 'number', trialEndsAt: 'date' },
});

// Nobody outside production gets mail by accident: only the testers of the stack are in its audience.
if (stack !== 'production') {
  testers.forEach((email, index) => {
    new crm.Contact(`tester-${index}`, {
      email,
      source: `tests of ${stack}`,
      properties: { planName: 'Pro', seats: 3 },
      createWithEvent: { eventName: 'testerAdded' },
    });
  });
}

export const properties = Object.keys(crm.properties);
