import { Contacts } from 'pulumi-audience';

new Contacts('excel', {
  file: 'excel-german.csv',
  columns: { 'E-Mail-Adresse': 'email', Vorname: 'firstName', Nachname: 'lastName', Tarif: 'planName' },
  consent: { Newsletter: { WAHR: 'mail', FALSCH: 'no mail' } },
});
