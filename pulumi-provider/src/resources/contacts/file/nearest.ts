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

/** The field or property that a name is most like, for messages; `undefined` where none or several are near. */
export function nearest(name: string, properties: readonly string[]): string | undefined {
  const fields = [...FIELDS].filter(([, { type }]) => type !== 'groups').map(([field]) => field);
  const all = [...fields, ...properties];
  const wanted = bare(name.replace(/^properties\./, ''));
  if (wanted === '') return undefined;
  const tests = [
    (known: string) => bare(known) === wanted,
    (known: string) => known !== 'subscribed' && isAlike(bare(known), wanted),
    (known: string) => properties.includes(known) && wanted.length > 2 && bare(known).startsWith(wanted),
  ];
  for (const test of tests) {
    const found = all.filter(test);
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

/** Whether a column may be suggested for a field without a look at its values: `subscribed` cannot be taken back. */
export function isSafeToSuggest(field: string): boolean {
  return field !== 'subscribed' && FIELDS.get(field)?.type !== 'groups';
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '');
}

/** Whether two names of four characters or more differ in one that is missing, added or another. */
function isAlike(a: string, b: string): boolean {
  const [short = '', long = ''] = [a, b].sort((x, y) => x.length - y.length);
  if (short.length < 4 || long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  return short.slice(start + (short.length === long.length ? 1 : 0)) === long.slice(start + 1);
}
