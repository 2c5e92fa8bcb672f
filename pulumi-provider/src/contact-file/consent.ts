import { consentOfHeader, meansNoMail, type ConsentHeader } from 'audience-core/internal';

/** A column with more different texts has values, not states. */
const MOST_TEXTS = 20;

const YES = new Set('yes true 1 y t ja oui si sí sim wahr vrai vero verdadero verdadeiro on'.split(' '));
const NO = new Set('no false 0 n f nein non nee não nao falsch faux falso off'.split(' '));
/** States of somebody who gets mail, or that say nothing of mail. */
const FINE = new Set(
  [
    'subscribed|active|confirmed|valid|verified|deliverable|enabled|granted|allow|allowed|accepted|express|implied|explicit',
    'opted in|opted-in|opt-in|optin|opted_in|single opt-in|double opt-in|regular|premium|gifted|free|paid|comped|customer',
    'lead|member|marketing contact|sendable|engaged|abonniert|angemeldet|aktiv|abonné|inscrit|actif|suscrito|activo|iscritto',
    'attivo|ingeschreven|aangemeld|actief|inscrito|ativo',
  ].flatMap((line) => line.split('|')),
);
/** Headers of times and reasons: a cell that is not empty means no mail. */
const REASON =
  /(time|date|reason|source|campaign[ _]title|campaign[ _]id|datum|fecha|(?<=\b|_)(at|am|on))$|reason[ _]/i;

/** A column that may say who wants no mail: the texts that it holds, and what the program says of them. */
export class ConsentColumn {
  readonly kind: ConsentHeader | undefined;
  /** Texts that mean no mail, or may: of an answered column those that its list lacks. */
  readonly found = new Set<string>();
  /** Up to one more than MOST_TEXTS. */
  private readonly texts = new Set<string>();
  private readonly listed: ReadonlySet<string>;

  /** @param answer the texts of `unsubscribed`; `*` is every text, such as the dates of a column `UNSUB_TIME`. */
  constructor(
    private readonly header: string,
    readonly answer: readonly string[] | undefined,
  ) {
    this.kind = consentOfHeader(header);
    this.listed = new Set(answer?.map(normal));
  }

  /** Whether the program has to say what the column means. */
  get isOpen(): boolean {
    return this.answer === undefined && (this.kind !== undefined || this.found.size > 0);
  }

  /** Notes a cell, and says whether it declares `subscribed: false`. */
  declaresNoMail(cell: unknown): boolean {
    if (typeof cell !== 'string' && this.kind === undefined && this.answer === undefined) return false;
    const text = typeof cell === 'string' ? cell.trim() : textOf(cell);
    if (this.answer === undefined) {
      const isNew = !this.texts.has(text);
      if (isNew && this.texts.size <= MOST_TEXTS) this.texts.add(text);
      if (isNew && meansNoMail(text)) this.find(text);
      return false;
    }
    const isListed = this.listed.has(normal(text)) || (text !== '' && this.listed.has('*'));
    if (!isListed && (this.isNoMail(text) ?? this.kind === 'yes-means-no-mail')) this.find(text);
    return isListed;
  }

  /** The texts, or of an answered column those that its list lacks, for a message. */
  get held(): string {
    const texts = this.answer === undefined ? this.texts : this.found;
    if (texts.size <= MOST_TEXTS) return [...texts].map(quoted).join(', ');
    return [...[...this.found].map(quoted), `more than ${MOST_TEXTS} texts`].join(', ');
  }

  /** What to copy into `unsubscribed` for an open column; `undefined` where it has a text that only a person can judge. */
  get suggestion(): string[] | undefined {
    const { kind } = this;
    if (kind === 'yes-means-no-mail' && REASON.test(this.header)) return ['*'];
    const texts = [...this.texts];
    // Somebody without a text may want no mail, and an unsubscription cannot be undone.
    const isUnclear = texts.includes('') && kind !== undefined && kind !== 'yes-means-no-mail';
    if (isUnclear || texts.length > MOST_TEXTS || texts.some((text) => this.isNoMail(text) === undefined))
      return undefined;
    const noMail = texts.filter((text) => this.isNoMail(text));
    // A list also finds texts that come later; an empty one does not.
    const later = { 'yes-means-no-mail': 'yes', 'yes-means-subscribed': 'no', status: 'unsubscribed' };
    return noMail.length > 0 ? noMail : [later[kind ?? 'status']];
  }

  /** Whether its cells can be read as values of `subscribed`. */
  get canBeSubscribed(): boolean {
    const isBoolean = [...this.texts].every((text) => /^(yes|no|true|false|1|0|)$/i.test(text));
    return this.kind !== 'yes-means-no-mail' && isBoolean;
  }

  private find(text: string): void {
    if (this.found.size <= MOST_TEXTS) this.found.add(text);
  }

  /** Whether a text means no mail; `undefined` where only a person can say. */
  private isNoMail(text: string): boolean | undefined {
    const plain = normal(text);
    if (meansNoMail(text)) return true;
    if (plain === '' || FINE.has(plain)) return false;
    if (this.kind === undefined || !(YES.has(plain) || NO.has(plain))) return undefined;
    return YES.has(plain) === (this.kind === 'yes-means-no-mail');
  }
}

function textOf(cell: unknown): string {
  return cell === null || !['number', 'boolean', 'object'].includes(typeof cell) ? '' : JSON.stringify(cell);
}

function normal(text: string): string {
  return text.trim().toLowerCase().normalize();
}

/** A text for a message, which shows no address. */
function quoted(text: string): string {
  if (text.includes('@')) return 'an address';
  return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
}
