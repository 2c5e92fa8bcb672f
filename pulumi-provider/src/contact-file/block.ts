import type { Columns, Header } from './columns.js';
import { comparableText, OTHERS } from './consent.js';
import { isField, isIdentifier, isName, isReserved, type KnownProperties } from './fields.js';
import { bare, ByHeader } from './headers.js';
import { BLANK, type ReadOptions } from './options.js';
import type { FileProblem } from './problems.js';
import { textOfCell, type Table } from './table.js';
import { TextCounts, type TextCount } from './texts.js';

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
  const inputs = { ...given, ...changes };
  const lines = Object.entries<unknown>(inputs)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${json(value)}`);
  return { code: 'wayOut.copy', expected: `{\n${lines.join(',\n')}\n}` };
}

/** JSON in one line, with blanks: YAML needs them. */
function json(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
}

/** Every header, with its field where that is certain, else with an empty text: it is not read. */
function columnsToCopy({ all }: Columns, options: ReadOptions, known: KnownProperties): Texts {
  const given = new ByHeader(options.columns ?? {});
  const fields = new Map<string, string>();
  const ways: readonly ((header: string) => string | undefined)[] = [
    (header) => usable(given.find(header), known),
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

/** What the program says of a header, unless that is refused. */
function usable(given: string | undefined, known: KnownProperties): string | undefined {
  if (given === undefined || given === BLANK || given === 'subscribed' || isReserved(given)) return undefined;
  const isWrong = given !== '' && known.isComplete && !isField(given, known);
  return isWrong ? undefined : given;
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
  const codes = columns.problems.map(({ code }) => code);
  const isAsked = codes.includes('consent.needed');
  const present = columns.consent.map(
    ({ header, answers, unanswered }) => [header, { ...answers, ...blanks(unanswered.all) }] as const,
  );
  const isMissing = typeof consent === 'object' && present.length < Object.keys(consent).length;
  const isOpen = columns.consent.some(({ unanswered }) => unanswered.all.length > 0);
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
  const counted = open.map(({ header, index }) => {
    const counts = new TextCounts();
    for (const { cells } of rows) counts.note(textOfCell(cells[index], nullValues));
    return { header, counts };
  });
  // A column that is empty today may say next week who wants no mail.
  const few = counted.filter(({ counts }) => counts.areFew);
  const answers = few.map(({ header, counts }): [string, Texts] => [header, blanks(counts.all)]);
  if (few.some(({ counts }) => counts.longest > 0)) return answers;
  const shortest = counted
    .filter(({ counts }) => !counts.areFew)
    .toSorted((one, other) => one.counts.longest - other.counts.longest)
    .slice(0, MOST_LONG_COLUMNS);
  return [...answers, ...shortest.map(({ header }): [string, Texts] => [header, ANY_TEXT])];
}

/** A blank for each text. */
function blanks(texts: readonly TextCount[]): Texts {
  const equal = Map.groupBy(texts, ([text]) => comparableText(text)).values();
  return Object.fromEntries([...equal].map(([[text] = ['']]) => [text, BLANK]));
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
