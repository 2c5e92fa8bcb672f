import type { EmailRecord } from '../account/records.js';

interface Term {
  readonly negated: boolean;
  readonly fits: (email: EmailRecord) => boolean;
}

/**
 * Mails that a search finds, the newest first. It is made of words, which are looked for in recipient, subject,
 * design and variables, and of `to:`, `subject:`, `design:`, `event:`, `key:`, `is:unread`, `is:read` and
 * `is:incomplete` (variables are missing). Quotation marks hold words together; `-` or `!` before a term turns it
 * round. All terms must fit.
 */
export function searchEmails(emails: Iterable<EmailRecord>, search: string): EmailRecord[] {
  const terms = readTerms(search);
  const found: EmailRecord[] = [];
  for (const email of emails) {
    if (terms.every((term) => term.fits(email) !== term.negated)) found.push(email);
  }
  return found.reverse();
}

/** A term of which only the beginning is there yet: it says nothing so far, and hides nothing. */
const UNFINISHED = /^[-!]?(?:(?:to|subject|design|event|key|is):)?"?$/i;

function readTerms(search: string): Term[] {
  const terms: Term[] = [];
  for (const [text, sign, field, quoted, word] of search.matchAll(
    /([-!]?)(?:(\w+):)?(?:"([^"]*)"?|(\S+))/g,
  )) {
    if (UNFINISHED.test(text)) continue;
    const value = (quoted ?? word ?? '').toLowerCase();
    const fits = field === undefined ? undefined : fieldTerm(field.toLowerCase(), value);
    terms.push({
      negated: sign !== '',
      fits: fits ?? textTerm(field === undefined ? value : text.slice(sign?.length ?? 0).toLowerCase()),
    });
  }
  return terms;
}

function fieldTerm(field: string, value: string): Term['fits'] | undefined {
  switch (field) {
    case 'to':
      return (email) => holds(email.to, value);
    case 'subject':
      return (email) => holds(email.subject, value);
    case 'design':
      return (email) => holds(email.designName, value) || holds(email.transactionalId, value);
    case 'event':
      return (email) => holds(email.eventName, value);
    case 'key':
      return (email) => holds(email.idempotencyKey, value);
    case 'is':
      return stateTerm(value);
    default:
      return undefined;
  }
}

function stateTerm(value: string): Term['fits'] | undefined {
  switch (value) {
    case 'unread':
      return (email) => !email.read;
    case 'read':
      return (email) => email.read;
    case 'incomplete':
      return (email) => email.missingVariables.length > 0;
    default:
      return undefined;
  }
}

function textTerm(value: string): Term['fits'] {
  return (email) => {
    if (holds(email.to, value) || holds(email.subject, value) || holds(email.designName, value)) return true;
    for (const name in email.dataVariables) {
      if (holds(String(email.dataVariables[name]), value)) return true;
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
