import { Contacts } from 'pulumi-audience';

new Contacts('shop', {
  file: 'shop.csv',
  columns: {
    'Customer ID': '',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    Email: 'email',
    'Accepts Email Marketing': '',
    'Default Address City': '',
    'Accepts SMS Marketing': '',
    'Total Spent': '',
    'Total Orders': 'orders',
    Tags: '',
  },
  consent: { 'Accepts Email Marketing': { yes: 'mail', no: 'no mail' } },
});
