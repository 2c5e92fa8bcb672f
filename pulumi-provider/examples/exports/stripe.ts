import { Contacts } from 'pulumi-audience';

new Contacts('stripe', {
  file: 'stripe.csv',
  columns: {
    id: 'stripeCustomer',
    Description: '',
    Email: 'email',
    Name: '',
    'Created (UTC)': 'signedUp',
    Delinquent: '',
    'Card ID': '',
    'Card Last4': '',
    'Card Brand': '',
    Plan: 'planName',
    Status: '',
    Currency: '',
    'Total Spend': '',
    'Payment Count': '',
  },
  consent: 'mail',
});
