import { Contacts } from 'pulumi-audience';

new Contacts('stripe', {
  file: 'stripe.csv',
  columns: { Email: 'email', id: 'stripeCustomer', Plan: 'planName', 'Created (UTC)': 'signedUp' },
  consent: 'mail',
});
