import { consentOfHeader, meansNoMail } from './consent.js';

const HEADERS = {
  'yes-means-no-mail': [
    'EMAIL_BLACKLISTED, Unsubscribed from Emails, Email Opt Out, HasOptedOutOfEmail, Opt-Out, optedOut, UNSUB_TIME',
    'UNSUB_REASON, CLEAN_TIME, Do Not Contact, doNotEmail, Do not mail, Unsubscribed from all email, Suppressed',
    'Bounced, Hard bounce reason, Cleaned, Not subscribed, is_unsubscribed, unsubscribed_at, Marked as spam report',
    'Abgemeldet am, Newsletter abbestellt, Werbewiderspruch, Keine Werbung, Désabonné, Désinscrit, Dado de baja',
    'Do not allow Bulk Emails, Consent withdrawn, Consent expired, GDPR deletion requested, Newsletter: no, Stop newsletter',
    'Marketing Suspended, Email Invalid, Does not accept marketing, Without consent, Right to be forgotten, Deceased',
    'Consentement retiré, Consentimiento revocado, Consenso ritirato, Einwilligung zurückgezogen, Exclude from mailings',
    'No contactar, Lista negra, Disiscritto, Uitgeschreven, Geen mail, Descadastrado, Não contatar',
  ],
  'yes-means-subscribed': [
    'Accepts Email Marketing, Accepts Marketing, accepts_marketing, subscribed, Subscribed, subscribed_to_emails',
    'Email Marketing Consent, Opt In, DOUBLE_OPT-IN, optedIn, GDPR, Permission, Email permission, Newsletter',
    'Receive marketing emails, Einwilligung, Newsletter abonniert, Abonné, Consentement, Suscrito, Acepta publicidad',
    'Consenso, Iscritto, Toestemming, Nieuwsbrief, Ingeschreven, Inscrito, Aceita marketing, Consentimento',
  ],
  status: [
    'Email subscriber status, Email status, Subscription status, email_status, Marketing Status, Subscriber Status',
    'Permission status, Newsletter-Status, Statut abonnement, Estado de suscripción, Stato iscrizione',
  ],
  nothing: [
    'Email, First Name, Status, Type, Plan, Subscription, Subscription plan, OPTIN_TIME, Opt-in date, Subscribed at, Date Subscribed',
    'Consent Timestamp, Accepts SMS Marketing, SMS consent, Fax Opt Out, Do Not Call, Permissions, Marketing source',
    'Notes, Country, Last Changed, Total Spent, Abonnement, Contact owner, No. of emails, Newsletter notes at, Order cancelled, Substance, Combination, Contact ID, Option',
  ],
};

test.each(Object.entries(HEADERS))('headers that mean: %s', (expected, lines) => {
  const headers = lines.flatMap((line) => line.split(', '));
  expect(headers.filter((header) => (consentOfHeader(header) ?? 'nothing') !== expected)).toEqual([]);
});

test('cells that mean no mail', () => {
  const cells =
    'unsubscribed, UNSUBSCRIBED, NEVER_SUBSCRIBED, Cleaned, Opted out, opt-out, Hard bounced, Do Not Contact, Désabonné, De\u0301sabonne\u0301, abgemeldet, Dado de baja, Disiscritto, uitgeschreven, Não inscrito';
  expect(cells.split(', ').filter((cell) => !meansNoMail(cell))).toEqual([]);
  const others = 'subscribed, active, yes, no, true, 0, , Spamalot, He unsubscribed last week, pending';
  expect(others.split(', ').filter(meansNoMail)).toEqual([]);
});
