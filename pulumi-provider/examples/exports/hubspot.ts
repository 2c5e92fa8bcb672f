import { Contacts } from 'pulumi-audience';

new Contacts('hubspot', {
  file: 'hubspot.csv',
  columns: {
    'Record ID': '',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    Email: 'email',
    'Phone Number': '',
    'Contact owner': '',
    'Last Activity Date (UTC)': '',
    'Lead Status': '',
    'Marketing contact status': '',
    'Create Date': 'signedUp',
    'Associated Company': '',
    'Unsubscribed from all email': '',
  },
  consent: { 'Unsubscribed from all email': { '': 'mail', false: 'mail', true: 'no mail' } },
});
