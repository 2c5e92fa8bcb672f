import { Contacts } from 'pulumi-audience';

new Contacts('pandas', {
  file: 'pandas.csv',
  columns: { email: 'email', first_name: 'firstName', plan: 'planName', seats: 'orders', active: 'active' },
  consent: 'mail',
});
