import { Contacts } from 'pulumi-audience';

new Contacts('mailchimp', {
  file: 'mailchimp.csv',
  columns: {
    'Email Address': 'email',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    OPTIN_TIME: 'signedUp',
  },
  consent: 'mail',
});
