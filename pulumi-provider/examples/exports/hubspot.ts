import { Contacts } from 'pulumi-audience';

new Contacts('hubspot', {
  file: 'hubspot.csv',
  columns: {
    Email: 'email',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    'Create Date': 'signedUp',
    'Marketing contact status': null,
  },
  unsubscribed: { 'Unsubscribed from all email': ['true'] },
});
