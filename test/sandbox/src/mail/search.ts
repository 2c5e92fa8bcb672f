import type { EmailRecord } from '../account/records.js';

interface Term {
  readonly negated: boolean;
  readonly fits: (email: EmailRecord) => boolean;
}

/**
 * Mails that a search finds, the newest first: words of recipient, subject, design and variables, operators as
 * `to:`, quotation marks, and `-` or `!` before what must not fit.
 */
export function searchEmails(emails: Iterable<EmailRecord>, search: string): EmailRecord[] {
  const terms = readTerms(search);
  const found: EmailRecord[] = [];
  for (const email of emails) {
    if (terms.every((term) => term.fits(email) !== term.negated)) found.push(email);
  }
  return found.reverse();
}

const STATES: Readonly<Record<string, (email: EmailRecord) => boolean>> = {
  unread: (email) => !email.read,
  read: (email) => email.read,
  incomplete: (email) => email.missingVariables.length > 0,
};

/** What looks like an operator in a search and is none, as `from:` or `is:strange`. It is searched for as text. */
export function unknownOperators(search: string): string[] {
  return partsOf(search).flatMap(({ field, value }) => {
    if (field === undefined || /^\d+$/.test(field) || value.startsWith('//')) return [];
    if (field !== 'is') return fieldTerm(field, value) === undefined ? [`${field}:`] : [];
    const isBegun = Object.keys(STATES).some((state) => state.startsWith(value));
    return isBegun ? [] : [`is:${value}`];
  });
}

/** A term that is not complete yet: it hides nothing. */
const UNFINISHED = /^[-!]?(?:(?:to|subject|design|event|key|is):)?"?$/i;

function readTerms(search: string): Term[] {
  return partsOf(search).map(({ negated, field, value, text }) => ({
    negated,
    fits: (field === undefined ? undefined : fieldTerm(field, value)) ?? textTerm(text),
  }));
}

/** The terms of a search as they are written, in small letters. */
function partsOf(search: string) {
  const parts = search.toLowerCase().matchAll(/([-!]?)(?:(\w+):)?(?:"([^"]*)"?|(\S+))/g);
  return [...parts].flatMap(([text, sign = '', field, quoted, word]) => {
    if (UNFINISHED.test(text)) return [];
    const value = quoted ?? word ?? '';
    return [
      { negated: sign !== '', field, value, text: field === undefined ? value : text.slice(sign.length) },
    ];
  });
}

function fieldTerm(field: string, value: string): Term['fits'] | undefined {
  switch (field) {
    case 'to':
      return (email) => holds(email.to, value);
    case 'subject':
      return (email) => holds(email.subject, value);
    case 'design':
      return (email) => holds(email.design, value) || holds(email.transactionalId, value);
    case 'event':
      return (email) => holds(email.eventName, value);
    case 'key':
      return (email) => holds(email.key, value);
    case 'is':
      return Object.hasOwn(STATES, value) ? STATES[value] : undefined;
    default:
      return undefined;
  }
}

function textTerm(value: string): Term['fits'] {
  return (email) => {
    if (holds(email.to, value) || holds(email.subject, value) || holds(email.design, value)) return true;
    for (const name in email.variables) {
      const given = email.variables[name];
      if (holds(typeof given === 'string' ? given : JSON.stringify(given), value)) return true;
    }
    return false;
  };
}

/** Whether a text holds a part in small letters, in whatever case. Most texts do so as they are, or not at all. */
function holds(text: string | null, part: string): boolean {
  if (text === null || text.length < part.length) return false;
  return text.includes(part) || (HAS_CAPITALS.test(text) && text.toLowerCase().includes(part));
}

/** Whatever is not plain small letters may have another form in small ones. */
const HAS_CAPITALS = /[^\x20-\x40\x5b-\x7e]/;
