import { Contacts } from 'pulumi-audience';

new Contacts('mailchimp', {
  file: 'mailchimp.csv',
  columns: {
    'Email Address': 'email',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    MEMBER_RATING: '',
    OPTIN_TIME: 'signedUp',
    OPTIN_IP: '',
    CONFIRM_TIME: '',
    CONFIRM_IP: '',
    LATITUDE: '',
    LONGITUDE: '',
    GMTOFF: '',
    DSTOFF: '',
    TIMEZONE: '',
    CC: '',
    REGION: '',
    LAST_CHANGED: '',
    LEID: '',
    EUID: '',
    NOTES: '',
    TAGS: '',
  },
  consent: 'mail',
});
