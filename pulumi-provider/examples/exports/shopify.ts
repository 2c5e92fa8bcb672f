import { Contacts } from 'pulumi-audience';

new Contacts('shopify', {
  file: 'shopify.csv',
  columns: {
    Email: 'email',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    'Total Orders': 'orders',
    'Accepts Email Marketing': 'subscribed',
  },
});
