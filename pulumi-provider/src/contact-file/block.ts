import type { Columns, Header } from './columns.js';
import { comparableText } from './consent.js';
import { isField, isIdentifier, isName, type KnownProperties } from './fields.js';
import { bare, byHeader } from './headers.js';
import { BLANK, type ReadOptions } from './options.js';
import type { FileProblem } from './problems.js';
import { textOfCell, type Table } from './table.js';
import { countTexts, OTHERS } from './texts.js';

/** Headers that mean a field for certain, in the form of {@link bare}. */
const CERTAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({ email: 'email', emailaddress: 'email', firstname: 'firstName', lastname: 'lastName' }),
);

/** If no column has few texts, so many of the others are asked about. */
const MOST_LONG_COLUMNS = 3;
/** More texts that are no address are a wrong column, and not rows of notes. */
const MOST_NULL_VALUES = 20;

type Texts = Readonly<Record<string, string>>;

const ANY_TEXT: Texts = { '': BLANK, [OTHERS]: BLANK };

/** The inputs to copy, as JSON with a blank for what only the user knows; `undefined` where they need no change. */
export function blockToCopy(
  table: Table,
  columns: Columns,
  options: ReadOptions,
  known: KnownProperties,
  ofRows: readonly FileProblem[],
): FileProblem | undefined {
  const codes = columns.problems.map(({ code }) => code);
  if (codes.some((code) => code === 'header.values' || code === 'header.equal')) return undefined;
  const isColumnOpen = codes.some((code) => /^(header|columns)\./.test(code));
  const fields = columnsToCopy(columns, options, known);
  const nullValues = textsOfNobody(table, columns, ofRows, options.nullValues);
  const changes = {
    ...(isColumnOpen && { columns: fields }),
    ...consentToCopy(table, columns, fields, options),
    ...(nullValues.length > 0 && { nullValues: [...(options.nullValues ?? []), ...nullValues] }),
  };
  if (Object.keys(changes).length === 0) return undefined;
  const { contacts: _, createWithEvent: __, ...given } = options;
  return { code: 'wayOut.copy', expected: JSON.stringify({ ...given, ...changes }, undefined, 2) };
}

/** Every header, with its field where that is certain, else with an empty text: it is not read. */
function columnsToCopy({ all, problems }: Columns, options: ReadOptions, known: KnownProperties): Texts {
  const refused = problems.filter(({ code }) => code.startsWith('columns.')).map(({ subject }) => subject);
  const kept = Object.entries(options.columns ?? {}).filter(([header]) => !refused.includes(header));
  const given = byHeader(Object.fromEntries(kept));
  const fields = new Map<string, string>();
  const ways: readonly ((header: string) => string | undefined)[] = [
    (header) => given.get(bare(header)),
    (header) => (header !== 'subscribed' && isField(header, known) ? header : undefined),
    (header) => CERTAIN.get(bare(header)),
    (header) => propertyLike(header, known),
  ];
  for (const way of ways) {
    const open = all.map(({ header }) => header).filter((header) => !fields.has(header));
    for (const [field, headers] of Map.groupBy(open, way)) {
      if (field === undefined || (field !== '' && [...fields.values()].includes(field))) continue;
      for (const header of headers) fields.set(header, headers.length === 1 || field === '' ? field : BLANK);
    }
  }
  const isOpen = ![...fields.values()].some((field) => isIdentifier(field) || field === BLANK);
  return Object.fromEntries(
    all.map(({ header }) => {
      const field = fields.get(header);
      return [header, field === undefined || field === '' ? (isOpen ? BLANK : '') : field];
    }),
  );
}

/** The only property whose name is a header but for case, blanks, `-` and `_`. */
function propertyLike(header: string, known: KnownProperties): string | undefined {
  const isLike = (name: string): boolean =>
    bare(name) === bare(header) && name !== 'subscribed' && isField(name, known);
  const [like, ...others] = [...known.types.keys()].filter(isLike);
  return others.length === 0 ? like : undefined;
}

/** `consent` with what is answered, and with a blank for each text that is not. */
function consentToCopy(
  table: Table,
  columns: Columns,
  fields: Texts,
  { consent, nullValues }: ReadOptions,
): { readonly consent?: Readonly<Record<string, Texts>> } {
  const isAsked = columns.problems.some(({ code }) => code === 'consent.needed');
  const present = columns.consent.map(
    ({ header, answers, unanswered }) => [header, { ...answers, ...blanks(unanswered) }] as const,
  );
  const isMissing = typeof consent === 'object' && present.length < Object.keys(consent).length;
  const isOpen = columns.consent.some(({ unanswered }) => unanswered.length > 0);
  const isNew = columns.causesMail && consent !== 'no mail';
  const asked = isAsked || isMissing ? columns.all : isNew ? columns.undecided : [];
  const open = asked.filter(
    ({ header, index }) => !columns.consent.some((one) => one.index === index) && !isName(fields[header]),
  );
  const identifiers = columns.all.filter(({ header }) => isIdentifier(fields[header]));
  const added = textsToAnswer(open, identifiers, table, nullValues);
  if (added.length === 0 && !isMissing && !isOpen) return {};
  return { consent: Object.fromEntries([...present, ...added]) };
}

/** The texts of the columns that may say who wants mail. If none has few texts, of the shortest others. */
function textsToAnswer(
  open: readonly Header[],
  identifiers: readonly Header[],
  table: Table,
  nullValues: readonly string[] | undefined,
): (readonly [header: string, answers: Texts])[] {
  const isSomebody = (cells: readonly unknown[]): boolean =>
    identifiers.length === 0 || identifiers.some(({ index }) => textOfCell(cells[index], nullValues) !== '');
  const rows = table.rows.filter(({ cells }) => isSomebody(cells));
  const columns = open.map(({ header, index }) => {
    const texts = rows.map(({ cells }) => textOfCell(cells[index], nullValues));
    const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
    return { header, blanks: blanks(texts), longest };
  });
  // A column that is empty today may say next week who wants no mail.
  const few = columns.filter((column) => !(OTHERS in column.blanks));
  const answers = few.map((column): [string, Texts] => [column.header, column.blanks]);
  if (few.some(({ longest }) => longest > 0)) return answers;
  const shortest = columns
    .filter((column) => OTHERS in column.blanks)
    .toSorted((one, other) => one.longest - other.longest)
    .slice(0, MOST_LONG_COLUMNS);
  return [...answers, ...shortest.map(({ header }): [string, Texts] => [header, ANY_TEXT])];
}

/** A blank for each text that a message shows, and one for the others. */
function blanks(texts: readonly string[]): Texts {
  const shown = countTexts(texts).map(([text]) => text);
  const equal = Map.groupBy(shown, comparableText).values();
  return Object.fromEntries([...equal].map(([text = '']) => [text, BLANK]));
}

/** Texts in the column of emails that are no address, such as those of a row of totals. */
function textsOfNobody(
  table: Table,
  { values }: Columns,
  ofRows: readonly FileProblem[],
  nullValues: readonly string[] | undefined,
): readonly string[] {
  const email = values.find(({ field }) => field === 'email');
  if (email === undefined || !ofRows.some(({ subject }) => subject === 'email')) return [];
  const texts = table.rows.map(({ cells }) => textOfCell(cells[email.index], nullValues));
  const found = new Set(texts.filter((text) => text !== '' && !text.includes('@')));
  return found.size > MOST_NULL_VALUES ? [] : [...found];
}
