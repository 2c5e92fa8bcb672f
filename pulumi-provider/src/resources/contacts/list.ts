import { createHash } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import { Declarations, fieldThatDiffers, type Resource } from '../declarations.js';
import { FIELDS } from '../contact-record/fields.js';
import { comparable, keysOf } from '../contact-record/identity.js';
import { groupOf } from '../contact-record/values.js';
import type { Run } from '../run.js';
import { fileRefusal, fileText, sentenceOf } from '../../messages/files.js';
import { problem, textOf, type Problem, type Reporter } from '../../messages/index.js';
import { withContent } from './content.js';
import { RowFaults, type FileProblem } from '../../contact-file/problems.js';
import { readContacts, type DeclaringRow, type LeftOutRow, type Report } from '../../contact-file/read.js';
import { locationOf } from '../../contact-file/rows.js';
import { ResourceError } from '../errors.js';
import type { KnownNames } from '../known-service.js';
import { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { nameOfSource, type Inputs } from './inputs.js';
import { throttled } from './work.js';

/** Reads the rows of checked inputs. Those of a `resource` are compared with others, and the run keeps them. */
export async function readList(inputs: Inputs, run: Run, resource?: Resource): Promise<DeclaredRows> {
  const known = await run.known.names();
  const list = resource ?? { key: '', label: 'Contacts' };
  const rows = new DeclaredRows(list, inputs.consent === 'no mail');
  const declarations = resource === undefined ? new Declarations() : run.declarations;
  const columns = await fill(rows, inputs, known, declarations, run.host.reporter);
  if ((await run.known.listedProperties()) === undefined)
    for (const { field = 'email' } of columns)
      if (!FIELDS.has(field) && groupOf(field) === undefined && !known.types.has(field))
        rows.untyped.push(field);
  const { file } = inputs;
  const checked = file === undefined ? inputs : { ...inputs, file: withContent(file, rows.fingerprint) };
  if (resource !== undefined) run.lists.set(listKey(checked), rows);
  return rows;
}

/** The key of the rows that a run has read for these checked inputs. */
export function listKey(checked: Inputs): string {
  return createHash('sha256').update(canonicalJson(checked)).digest('base64');
}

/** What a reading tells while it goes on: at least every 30 seconds, how many rows it has read. */
interface Listener extends Pick<Reporter, 'info'> {
  readonly onLeftOut?: (row: LeftOutRow) => void;
}

/**
 * Reads rows and joins those of one contact.
 *
 * @returns the columns that were read.
 * @throws ResourceError for a wrong row, or one that contradicts another.
 */
export async function fill(
  rows: DeclaredRows,
  inputs: Inputs,
  known: KnownNames,
  declarations: Declarations,
  listener: Listener,
): Promise<Report['columns']> {
  declarations.begin(rows.resource, rows);
  /** Rows that contradict others are never left out. */
  const contradictions = new RowFaults();
  const list = rows.resource.label;
  const tell = throttled((read) => listener.info(problem('contacts.reading', { list, count: read })));
  let count = 0;
  const reading = readContacts(inputs, known);
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) {
    for (const read of step.value) {
      tell((count += 1));
      if ('leftOut' in read) {
        listener.onLeftOut?.(read);
        if (read.leftOut !== undefined) rows.skipped.push(read.leftOut);
        continue;
      }
      const wrong = add(read, rows, declarations);
      const expected = wrong && textOf(wrong);
      if (wrong !== undefined)
        contradictions.add(locationOf(read.unit, read.number), { code: 'row.reason', expected });
    }
  }
  const { problems, wayOut, notes, columns, endsInLineEnd } = step.value;
  const ofGroups = await groupProblems(columns, known);
  const all = [...ofGroups, ...problems, ...contradictions.problems];
  const source = nameOfSource(inputs);
  if (all.length > 0) throw new ResourceError(fileRefusal(source, all, wayOut));
  rows.notes = notes.map((note) =>
    note.code.startsWith('note.') ? fileText(note) : sentenceOf(source, note),
  );
  rows.endsInLineEnd = endsInLineEnd;
  return columns;
}

/** Adds a row, or joins it with another one of its contact. @returns how it contradicts another row. */
function add(read: DeclaringRow, rows: DeclaredRows, declarations: Declarations): Problem | undefined {
  rows.unit = read.unit;
  const { number, email, userId, values, emptied, isBad } = read;
  const row = new DeclaredRow(rows, number, email, userId, values, emptied, isBad);
  const keys = keysOf(row);
  const indexes = rows.indexesOf(keys);
  const [earlier, second] = indexes.map((index) => rows.at(index));
  if (earlier !== undefined && second !== undefined)
    return problem('contacts.joinedRows', { first: earlier.location, second: second.location });
  const field = earlier && fieldThatDiffers(comparable(earlier), comparable(row));
  if (earlier !== undefined && field !== undefined)
    return problem('contacts.twice', { where: earlier.location, field });
  const joined = earlier?.with(row) ?? row;
  const clash = declarations.clash(keys, joined, rows.resource);
  rows.set(joined, keys, indexes[0]);
  return clash && problem('contacts.twice', { where: clash.where, field: clash.field });
}

async function groupProblems(columns: Report['columns'], known: KnownNames): Promise<FileProblem[]> {
  const groups = columns.flatMap(({ field = '' }) => groupOf(field) ?? []);
  const problems = await Promise.all(groups.map(async (group) => known.groupProblem?.(group)));
  return problems.flatMap((wrong) =>
    wrong === undefined ? [] : [{ code: 'row.reason', expected: textOf(wrong) } as const],
  );
}
