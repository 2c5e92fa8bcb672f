import type { Column, Columns } from './columns.js';
import { comparableText } from './consent.js';
import { bare, CERTAIN, isMapped } from './headers.js';
import type { FileProblem } from './problems.js';
import type { TextCount } from './texts.js';

/** What only the user can say. It is refused until it is replaced. */
const BLANK = '?';

/** A file with many unknown columns is mapped by the ones that are wanted. */
const MOST_BLANKS = 20;

/** Codes of problems that only `columns` can solve: it says which columns are read. */
const OF_COLUMNS = /^(header\.(values|no-identifier|unknown|twice)|row\.nameless)$/;

/** The inputs to copy, as JSON; `undefined` where the given ones need no change. */
export function blockToCopy(
  columns: Columns,
  ofHeader: readonly FileProblem[],
  ofRows: readonly FileProblem[],
): FileProblem | undefined {
  const { all, options } = columns;
  const isMappingOpen = [...ofHeader, ...ofRows].some((one) => isOfMapping(one, columns));
  const isConsentNeeded = ofHeader.some(({ code }) => code === 'consent.needed');
  const consent = consentToCopy(columns, isConsentNeeded);
  const changes = {
    ...(isMappingOpen && { columns: fieldsToCopy(columns) }),
    ...(consent !== undefined && { consent }),
  };
  if (Object.keys(changes).length === 0) return undefined;
  const { createWithEvent: _, contacts: __, ...given } = options;
  const lines = Object.entries<unknown>({ ...given, ...changes }).flatMap(([name, value]) =>
    value === undefined || name === 'maxRemovals' ? [] : `  ${JSON.stringify(name)}: ${json(value)}`,
  );
  const long = all.filter((one) => consent !== undefined && one.texts?.areMany === true && !one.consent);
  return {
    code: 'wayOut.copy',
    expected: `{\n${lines.join(',\n')}\n}`,
    names: long.map(({ header }) => header),
  };
}

/** JSON in one line, with blanks: YAML needs them. */
function json(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
}

/** Whether a problem is one that `columns` solves. */
function isOfMapping({ code, subject = '', names = [] }: FileProblem, { map }: Columns): boolean {
  if (map !== undefined) return code === 'header.missing' && isMapped(map.find(subject));
  // A word that stands twice can only be renamed in the file.
  const isWordTwice = code === 'header.twice' && names.lastIndexOf(names[0] ?? '') > 0;
  return OF_COLUMNS.test(code) && !isWordTwice;
}

/** `columns` with what is known for certain, and with a blank where only the user can say which column is the email. */
function fieldsToCopy(columns: Columns): Readonly<Record<string, string>> {
  const { all } = columns;
  if (columns.map !== undefined)
    return Object.fromEntries(
      all.flatMap(({ header, field }) => (field === undefined ? [] : [[header, field]])),
    );
  const ways: ((column: Column) => string | undefined)[] = [
    ({ header }) => (columns.isField(header) ? header : undefined),
    ({ header }) => CERTAIN.get(bare(header)),
    ({ header, consent }) => (consent === undefined ? columns.propertyLike(header) : undefined),
  ];
  const fields = new Map<string, string>();
  for (const way of ways) {
    const open = all.filter(({ header }) => !fields.has(header));
    for (const [field, found] of Map.groupBy(open, way))
      if (field !== undefined && ![...fields.values()].includes(field))
        for (const { header } of found) fields.set(header, found.length === 1 ? field : BLANK);
  }
  if (!['email', 'userId', BLANK].some((field) => [...fields.values()].includes(field)))
    for (const { header } of all.slice(0, MOST_BLANKS)) if (!fields.has(header)) fields.set(header, BLANK);
  // Headers that are compared as equal would be read as well.
  const mapped = new Set([...fields.keys()].map(bare));
  for (const { header } of all) if (!fields.has(header) && mapped.has(bare(header))) fields.set(header, '');
  return Object.fromEntries(fields);
}

/** `consent` with what is answered, and with a blank for each text that is not. */
function consentToCopy({ all, consent: { entries } }: Columns, isNeeded: boolean): unknown {
  const present = entries.filter(([, column]) => all.some(({ consent }) => consent === column));
  const isMissing = present.length < entries.length && all.length > 0;
  const isOpen = isMissing || present.some(([, { unanswered }]) => unanswered.all.length > 0);
  if (!isNeeded && !isOpen) return undefined;
  const answered = present.map(
    ([header, { answers, unanswered }]) => [header, { ...answers, ...blanks(unanswered.all) }] as const,
  );
  if (present.length > 0 && !isMissing) return Object.fromEntries(answered);
  // Headers that are compared as equal have the same answers.
  const few = Map.groupBy(
    all.filter(({ consent, texts }) => consent === undefined && (texts?.few.length ?? 0) > 0),
    ({ header }) => bare(header),
  );
  const open = Array.from(few.values(), (equal) => [
    equal[0]?.header,
    blanks(equal.flatMap(({ texts }) => texts?.few ?? [])),
  ]);
  // Answers without those of a column that is missing would pass, and say less than was asked.
  return open.length === 0 ? BLANK : Object.fromEntries([...answered, ...open]);
}

/** A blank for each text. */
function blanks(texts: readonly TextCount[]): Readonly<Record<string, string>> {
  const equal = Map.groupBy(texts, ([text]) => comparableText(text));
  return Object.fromEntries(Array.from(equal.values(), ([[text] = ['']]) => [text, BLANK]));
}
