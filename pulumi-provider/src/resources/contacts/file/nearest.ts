import { nearest } from '../../words.js';
import { FIELDS } from '../../people/fields.js';

/** Headers that mean a field, without case, blanks, `_` and `-`. No other header is read by likeness. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['emailaddress', 'email'],
  ['firstname', 'firstName'],
  ['lastname', 'lastName'],
]);

/** The field that a header spells, such as `firstName` for `First Name`. */
export function spelledField(header: string): string | undefined {
  return SPELLINGS.get(bare(header));
}

/** The field or property that a name is most like, for messages; `undefined` where none or several are. */
export function nearestField(name: string, properties: readonly string[]): string | undefined {
  const fields = [...FIELDS].filter(([, { type }]) => type !== 'groups').map(([field]) => field);
  const wanted = bare(name.replace(/^properties\./, ''));
  const isSame = (known: string): boolean => bare(known) === wanted;
  // 'Unsubscribed' is near 'subscribed', and means the opposite.
  const others = [...fields.filter((field) => field !== 'subscribed'), ...properties];
  const begins = properties.filter((known) => wanted.length > 2 && bare(known).startsWith(wanted));
  return (
    [...fields, ...properties].find(isSame) ??
    nearest(name, others) ??
    (begins.length === 1 ? begins[0] : undefined)
  );
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '');
}
