import { Contacts } from 'pulumi-audience';

new Contacts('hubspot', {
  file: 'hubspot.csv',
  columns: {
    Email: 'email',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    'Create Date': 'signedUp',
  },
  consent: { 'Unsubscribed from all email': { '': 'mail', false: 'mail', true: 'no mail' } },
});
