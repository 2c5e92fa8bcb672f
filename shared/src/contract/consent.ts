/**
 * What the header of a column says about consent to mail: `yes` in it means that the person is subscribed or wants no
 * mail, or its cells are states such as `unsubscribed`.
 */
export type ConsentHeader = 'yes-means-subscribed' | 'yes-means-no-mail' | 'status';

/** Parts of headers, in small letters without accents, blanks and signs. */
const NO_MAIL = new RegExp(
  [
    'unsubscri|unsub(s|time|date|reason|campaign|$)|notsubscrib|neversubscrib|opt(ed)?out|notoptedin|noconsent',
    'blacklist|blocklist|denylist|suppress|bounce|cleaned|cleantime|cleandate|complain|spamreport|e?mails?(blocked|disabled|off)',
    'do(es)?no?t?(allow|contact|disturb|email|mail|send|solicit)|deceased|verstorben|forgotten|nocontact|no(e)?mail(s|ing)?$|no(marketing|newsletter)|contactforbidden',
    'abgemeldet|abmeld|abbestell|ausgetragen|widerruf|widerspr|werbesperre|sperrliste|keinewerbung|keine?(e?mail|newsletter|post)|nicht(abonn|kontakt)',
    'desabonn|desinscri|listenoire|pasdemail|pasde(publicite|newsletter)|nepas(contacter|envoyer)|nonabonn|refusemail',
    'desuscrit|dad[oa]debaja|^baja$|fechabaja|listanegra|no(contactar|enviar)|nosuscrit|rebotad',
    'disiscri|nonisc|listanera|non(contattare|inviare)|cancellazioneiscr|revocaconsenso',
    'uitgeschrev|uitschrij|afgemeld|afmeld|zwartelijst|niet(mailen|contact|ingeschr)|geen(e?mail|nieuwsbrief|reclame)',
    'descadastr|desinscr|inscricaocancel|nao(contatar|contactar|enviar|inscrit)',
  ].join('|'),
);
const STATUS =
  /(subscri(ber|ption|bed)|e?mail(ing)?|marketing|consent|permission|contact|newsletter|optin|abonnement|abonnenten|suscripcion|iscrizione|inscrip?cao|inscription|inschrijving)s?(marketing)?(status|state|statut|estado|stato|zustand)$|^(status|statut|estado|stato)(de|des|du|del|dell|da|van|der|do)?(email|mailing|abonn|newsletter|suscri|iscri|inscri)/;
const SUBSCRIBED = new RegExp(
  [
    'subscribed|opt(ed)?in|consent(?!imento|imiento|ement)|gdpr|newsletter|emailable|mailable|contactable|mailinglist',
    '(accept|agree|allow|receive|want|can)[a-z]{0,12}(marketing|e?mails?|mailing|promo)|(marketing|e?mails?)(accepted|allowed|agreed|enabled|ok)$',
    '^permission(?!s)|(e?mail|marketing|mailing)permission|^(marketing|promotional)e?mails?$',
    'einwilligung|zustimmung|werbeerlaubnis|einverstand|abonniert|dsgvo',
    '^abonnee?s?$|abonnea|consentement|accepte(le|la|les|de)?(e?mail|marketing|publicite|newsletter)|infolettre|rgpd',
    'suscrit|consentimiento|acepta(el|la|recibir)?(marketing|publicidad|correo|e?mail)|boletin|permisode',
    'iscritt|consenso|accetta(marketing|pubblicita|e?mail)',
    'ingeschreven|aangemeld|toestemming|nieuwsbrief|avg(akkoord|toestemming)',
    '^inscrit|consentimento|aceita(marketing|publicidade|e?mail)|permissaode|lgpd',
  ].join('|'),
);
/** Ends or denies what the rest of the header says: `Consent withdrawn`. In words, as `Newsletter notes` does not. */
const NEGATION =
  /(^|_)(no|not|non|never|without|stop|off|nicht|keine?|ohne|sans|pas|sin|senza|geen|niet|sem|nao)(_|$)/;
const REVERSAL =
  /withdr[ae]w|revo[ckg]|declin|refus|reject|den(y|ied)|cancel|stop|expired|objection|delet|erasure|suspend|invalid|exclu[ds]|zuruckgez|retire|retirad|ritirat|ingetrokken|rechaz|rifiut/;
const ABOUT_MAIL = /mail|marketing|newsletter|tocontact/;
/** Consent to something else than email. */
const OTHER_CHANNEL = /sms|whatsapp|phone|(?<!\bno)call|fax|push|telefon|mobile|viber|messenger/;
/** When, where or how somebody signed up: no state of today. */
const ABOUT_SIGN_UP =
  /^(date|time|when)_|(time|timestamp|date|datum|data|fecha|zeit|zeitpunkt|ip|ipaddress|source|quelle|method|url|text|_at|_on|_id|_by)$/;

/** Whole cells that mean "no mail", in the form of {@link bare}. */
const NO_MAIL_WORDS: ReadonlySet<string> = new Set(
  [
    'unsubscribed unsubscribe unsub neversubscribed notsubscribed nonsubscribed notoptedin optedout optout',
    'emailoptout emailoptedout cleaned bounce bounces bounced hardbounce hardbounced softbounced emailbounced complained complaint',
    'complaints spam spamcomplaint spamreport spamreported markedasspam reportedspam suppressed blacklisted',
    'blocklisted donotcontact donotemail donotmail donotsend nomail noemail noemails nomarketing nevercontact',
    'unsubscribedbyadmin adminunsubscribed globallyunsubscribed globalunsubscribe unsubscribedfromall donotallow deceased nonmarketable',
    'abgemeldet abbestellt ausgetragen nichtabonniert nichtangemeldet widerrufen widersprochen keinewerbung',
    'desabonne desabonnee desabonnes desinscrit desinscrite desinscrits nonabonne nonabonnee noninscrit',
    'desuscrito desuscrita dadodebaja dadadebaja debaja nosuscrito nosuscrita rebotado',
    'disiscritto disiscritta noniscritto noniscritta uitgeschreven afgemeld nietingeschreven nietaangemeld',
    'descadastrado descadastrada desinscrito desinscrita naoinscrito naoinscrita',
  ].flatMap((line) => line.split(' ')),
);
const LONGEST_WORD = 40;

/** A text in small letters, without accents and all that is no letter. */
function bare(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{Ll}]/gu, '');
}

/** What a header says about consent to mail; `undefined` where it says nothing of it. */
export function consentOfHeader(header: string): ConsentHeader | undefined {
  const name = bare(header);
  if (isOtherChannel(header)) return undefined;
  const words = header
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replaceAll(/\P{L}+/gu, '_')
    .toLowerCase();
  const isReversed = REVERSAL.test(name) && (ABOUT_MAIL.test(name) || SUBSCRIBED.test(name));
  const isDenied = NEGATION.test(words) && (/allow.*tocontact/.test(name) || SUBSCRIBED.test(name));
  if (NO_MAIL.test(name) || isReversed || isDenied) return 'yes-means-no-mail';
  if (ABOUT_SIGN_UP.test(words)) return undefined;
  if (STATUS.test(name)) return 'status';
  return SUBSCRIBED.test(name) ? 'yes-means-subscribed' : undefined;
}

/** Whether a header is about texts, calls or something else that is no email: its cells say nothing of mail. */
export function isOtherChannel(header: string): boolean {
  const name = bare(header);
  return OTHER_CHANNEL.test(name) && !name.includes('mail');
}

/** Whether a whole cell says that the person wants no mail, or cannot get any. */
export function meansNoMail(text: string): boolean {
  return text.length <= LONGEST_WORD && NO_MAIL_WORDS.has(bare(text));
}
