import { tableOf } from './array.js';
import { blockToCopy } from './block.js';
import { decideColumns, type Columns } from './columns.js';
import { answerOf } from './consent.js';
import { parseCsv } from './csv.js';
import { isIdentifier, type KnownProperties } from './fields.js';
import type { ReadOptions } from './options.js';
import { FileError, RowFaults, type FileProblem } from './problems.js';
import { readRow, type Identity, type RowValues } from './row.js';
import { readText } from './source.js';
import { locationOf, type Table } from './table.js';
import { countTexts } from './texts.js';

/** More are imported by the service itself. */
const MOST_ROWS = 200_000;

/** A row of a list. */
export interface ListRow extends Identity, Pick<RowValues, 'values'> {
  /** `line 7`, or `contacts[3]`. */
  readonly location: string;
  /** Whether `consent` leaves it out: then it declares nothing, and its entry in the state stays. */
  readonly isSkipped: boolean;
}

/** A list that was read. */
export interface Reading {
  readonly rows: readonly ListRow[];
  /** Why the list is refused; none where it was read. */
  readonly problems: readonly FileProblem[];
  /** What a refusal ends with. */
  readonly wayOut: readonly FileProblem[];
  /** What was read, and what was left out. */
  readonly notes: readonly FileProblem[];
  /** The fields that have a column. */
  readonly fields: readonly string[];
}

/** Reads a list: its source, then what each column is, who wants mail, and the values. */
export async function readContacts(options: ReadOptions, known: KnownProperties): Promise<Reading> {
  const { file, encoding, contacts = [] } = options;
  try {
    const table = file === undefined ? tableOf(contacts) : parseCsv(await readText(file, encoding));
    if (table.rows.length > MOST_ROWS) throw new FileError({ code: 'file.many', count: MOST_ROWS });
    return readTable(table, options, known);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { rows: [], problems: [error.problem], wayOut: [], notes: [], fields: [] };
  }
}

function readTable(table: Table, options: ReadOptions, known: KnownProperties): Reading {
  const columns = decideColumns(table, options, known);
  const { rows, faults, nobodies } = readRows(table, columns, options);
  const unanswered = columns.consent
    .filter((column) => column.unanswered.length > 0)
    .map(({ header, unanswered: texts }): FileProblem => {
      return { code: 'consent.unanswered', subject: header, texts: countTexts(texts) };
    });
  const problems = [...columns.problems, ...unanswered, ...faults];
  const fields = columns.values.map(({ field }) => field);
  if (table.unit === 'contacts') return { rows, problems, wayOut: [], notes: [], fields };
  const isConsentNeeded = columns.causesMail || options.consent !== undefined;
  const ofConsent: readonly FileProblem[] = isConsentNeeded ? [] : [{ code: 'note.no-consent' }];
  const block = problems.length === 0 ? undefined : blockToCopy(table, columns, options, known, faults);
  const wayOut = block === undefined ? [] : [block, ...ofConsent];
  const notes = [...notesOf(rows, nobodies, columns), ...ofConsent];
  return { rows, problems, wayOut, notes, fields };
}

/** Reads rows; those with a fault are not among them. */
function readRows(table: Table, columns: Columns, { consent, nullValues }: ReadOptions) {
  const isFile = table.unit === 'line';
  const faults = new RowFaults();
  const rows: ListRow[] = [];
  let nobodies = 0;
  for (const { number, cells, fault } of table.rows) {
    const { email, userId, values, faults: ofCells } = readRow(cells, columns.values, nullValues);
    const isSomebody =
      email !== undefined || userId !== undefined || ofCells.some(({ subject }) => isIdentifier(subject));
    const ofRow = fault === undefined ? ofCells : [fault];
    const location = locationOf(table.unit, number);
    // A value of the program may be a secret.
    for (const one of ofRow) faults.add(location, isFile ? one : { ...one, given: undefined });
    if (!isSomebody) {
      nobodies += 1;
      if (!isFile) faults.add(location, { code: 'row.no-identifier' });
      continue;
    }
    const ofColumns = answerOf(cells, columns.consent, nullValues);
    const answer = typeof consent === 'string' ? consent : ofColumns;
    if (ofRow.length > 0) continue;
    const isNoMail = answer === 'no mail' || values['subscribed'] === false;
    const isSkipped = answer === 'skip' && !isNoMail;
    const declared = isNoMail ? { ...values, subscribed: false } : values;
    rows.push({ location, email, userId, values: isSkipped ? {} : declared, isSkipped });
  }
  return { rows, faults: faults.problems, nobodies };
}

/** What the plan of a file says. */
function notesOf(rows: readonly ListRow[], nobodies: number, { values }: Columns): readonly FileProblem[] {
  const skipped = rows.filter(({ isSkipped }) => isSkipped).length;
  const names = values.map(({ header, field }) => (header === field ? field : `${field} ('${header}')`));
  const counted: readonly FileProblem[] = [
    { code: 'note.no-mail', count: rows.filter(({ values: { subscribed } }) => subscribed === false).length },
    { code: 'note.skipped', count: skipped },
    { code: 'note.no-identifier', count: nobodies },
  ];
  return [
    { code: 'note.read', count: rows.length - skipped, names },
    ...counted.filter(({ count = 0 }) => count > 0),
  ];
}
