import { Contacts } from 'pulumi-audience';

new Contacts('shopify', {
  file: 'shopify.csv',
  columns: {
    Email: 'email',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    'Total Orders': 'orders',
  },
  consent: { 'Accepts Email Marketing': { yes: 'mail', no: 'no mail' } },
});
