import { consentOfHeader, meansNoMail } from 'audience-core/internal';
import type { ConsentHeader } from 'audience-core/internal';

/** Texts of a column that are counted apart; a column with more has values, not states. */
const MOST_TEXTS = 20;
/** Stands for every text that is not empty, such as the dates of a column `UNSUB_TIME`. */
export const ANY_TEXT = '*';

const YES = new Set('yes true 1 y t ja oui si sí sim wahr vrai vero verdadero verdadeiro on'.split(' '));
const NO = new Set('no false 0 n f nein non nee não nao falsch faux falso off'.split(' '));
/** States of somebody who gets mail, or that say nothing of mail. */
const FINE = new Set(
  [
    'subscribed active confirmed valid verified deliverable enabled granted allow allowed accepted express implied explicit',
    'opted in|opted-in|opt-in|optin|opted_in|single opt-in|double opt-in|regular|premium|gifted|free|paid|comped|customer',
    'lead|member|marketing contact|sendable|engaged|abonniert|angemeldet|aktiv|abonné|inscrit|actif|suscrito|activo|iscritto',
    'attivo|ingeschreven|aangemeld|actief|inscrito|ativo',
  ].flatMap((line, index) => line.split(index === 0 ? ' ' : '|')),
);

const NONE: ReadonlySet<string> = new Set();

/** What the program says of a column that may be about consent. */
type Answer = readonly string[] | undefined;

/** A column that may say who wants no mail: the texts that it holds, and what the program says of them. */
export class ConsentColumn {
  readonly kind: ConsentHeader | undefined;
  /** Texts with their rows, if there are at most MOST_TEXTS. */
  texts: Map<string, number> | undefined;
  private foundTexts: Set<string> | undefined;
  private isCounting = true;
  private readonly listed: ReadonlySet<string>;

  constructor(
    readonly header: string,
    readonly answer: Answer,
  ) {
    this.kind = consentOfHeader(header);
    this.listed = answer === undefined ? NONE : new Set(answer.map(normal));
  }

  /** Texts that mean no mail, or may: of an answered column those that its list lacks. */
  get found(): ReadonlySet<string> {
    return this.foundTexts ?? NONE;
  }

  /** Whether the program has to say what the column means. */
  get isOpen(): boolean {
    return this.answer === undefined && (this.kind !== undefined || this.found.size > 0);
  }

  /** Notes a cell, and says whether it declares `subscribed: false`. */
  declaresNoMail(cell: unknown): boolean {
    if (typeof cell !== 'string' && this.kind === undefined && this.answer === undefined) return false;
    const text = typeof cell === 'string' ? cell : textOf(cell);
    if (this.answer !== undefined) {
      const plain = normal(text);
      if (this.listed.has(plain) || (plain !== '' && this.listed.has(ANY_TEXT))) return true;
      if (this.answer.length > 0 && this.mayMeanNoMail(text)) this.find(text);
      return false;
    }
    if (this.isCounting) this.countText(text);
    else if (meansNoMail(text)) this.find(text);
    return false;
  }

  /** The texts for a message, with how many rows have each. */
  get held(): string {
    if (!this.isCounting) return [...[...this.found].map(quoted), `more than ${MOST_TEXTS} texts`].join(', ');
    const merged = new Map<string, number>();
    for (const [text, count] of this.texts ?? [])
      merged.set(text.trim(), (merged.get(text.trim()) ?? 0) + count);
    return [...merged].map(([text, count]) => `${quoted(text)} (${count.toLocaleString('en')})`).join(', ');
  }

  /** What to copy for an open column; `undefined` where it has a text that only a person can judge. */
  get suggestion(): Suggestion | undefined {
    const texts = [...new Set([...(this.texts?.keys() ?? [])].map((text) => text.trim()))];
    const isTimeOrReason = this.kind === 'yes-means-no-mail' && REASON.test(this.header);
    if (isTimeOrReason) return { noMail: [ANY_TEXT] };
    if (!this.isCounting) return undefined;
    // Somebody without a text may want no mail, and an unsubscription cannot be undone.
    if (texts.includes('') && this.kind !== undefined && this.kind !== 'yes-means-no-mail') return undefined;
    const isNoMail = (text: string): boolean => meansNoMail(text) || this.isPlainNoMail(text);
    const isKnown = texts.every((text) => text === '' || isNoMail(text) || this.isPlainFine(text));
    if (!isKnown) return undefined;
    const noMail = texts.filter((text) => text !== '' && isNoMail(text));
    const given = texts.filter((text) => text !== '').map(normal);
    const isBoolean = this.kind === 'yes-means-subscribed' && given.every((text) => READ.has(text));
    // A list also finds texts that come later; an empty one does not.
    if (noMail.length === 0) noMail.push(this.kind === undefined ? 'unsubscribed' : LATER[this.kind]);
    return { noMail, ...(isBoolean && given.length > 0 && { field: 'subscribed' }) };
  }

  private countText(text: string): void {
    this.texts ??= new Map();
    const count = this.texts.get(text);
    this.texts.set(text, (count ?? 0) + 1);
    if (count === undefined && meansNoMail(text)) this.find(text);
    if (this.texts.size > MOST_TEXTS) {
      this.texts = undefined;
      this.isCounting = false;
    }
  }

  private find(text: string): void {
    this.foundTexts ??= new Set();
    if (this.foundTexts.size <= MOST_TEXTS) this.foundTexts.add(text.trim());
  }

  /** Whether a text that no list has may mean no mail. */
  private mayMeanNoMail(text: string): boolean {
    const plain = normal(text);
    if (meansNoMail(text) || this.isPlainNoMail(text)) return true;
    return this.kind === 'yes-means-no-mail' && plain !== '' && !this.isPlainFine(text);
  }

  private isPlainNoMail(text: string): boolean {
    if (this.kind === undefined) return false;
    return (this.kind === 'yes-means-no-mail' ? YES : NO).has(normal(text));
  }

  private isPlainFine(text: string): boolean {
    if (FINE.has(normal(text))) return true;
    return this.kind !== undefined && (this.kind === 'yes-means-no-mail' ? NO : YES).has(normal(text));
  }
}

interface Suggestion {
  /** Texts for `unsubscribed`. */
  readonly noMail: string[];
  /** The field that the column can be mapped to instead. */
  readonly field?: 'subscribed';
}

/** A text that a column without one may have later. */
const LATER: Readonly<Record<ConsentHeader, string>> = {
  'yes-means-no-mail': 'yes',
  'yes-means-subscribed': 'no',
  status: 'unsubscribed',
};

/** Headers of times and reasons: a cell that is not empty means no mail. */
const REASON =
  /(time|date|reason|source|campaign[ _]title|campaign[ _]id|datum|fecha|(?<=\b|_)(at|am|on))$|reason[ _]/i;
/** Texts that a boolean field reads. */
const READ = new Set(['yes', 'no', 'true', 'false', '1', '0']);

function normal(text: string): string {
  return text.trim().toLowerCase().normalize();
}

function textOf(cell: unknown): string {
  const isText = typeof cell === 'number' || typeof cell === 'boolean' || typeof cell === 'object';
  return cell === null || !isText ? '' : JSON.stringify(cell);
}

/** A text for a message, which shows no address. */
function quoted(text: string): string {
  if (text.includes('@')) return 'an address';
  return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
}
