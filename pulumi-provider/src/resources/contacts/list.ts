import { createHash } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import { Declarations, fieldThatDiffers, type Resource } from '../declarations.js';
import { FIELDS } from '../contact-record/fields.js';
import { comparable, keysOf } from '../contact-record/identity.js';
import { groupOf } from '../contact-record/values.js';
import type { Reporter, Run } from '../run.js';
import { fileRefusal, fileText, sentenceOf } from '../../messages/files.js';
import { problem, textOf, type Problem } from '../../messages/index.js';
import { withContent } from './content.js';
import { RowFaults, type FileProblem } from '../../contact-file/problems.js';
import { readContacts } from '../../contact-file/read.js';
import type { ListRow, Report } from '../../contact-file/tally.js';
import { locationOf } from '../../contact-file/rows.js';
import { ResourceError } from '../errors.js';
import type { KnownNames } from '../known-service.js';
import { DeclaredRows, type RowContent } from './declared-rows.js';
import { nameOfSource, type Inputs } from './inputs.js';
import { throttled } from './work.js';

/** Reads the rows of checked inputs. Those of a `resource` are compared with others, and the run keeps them. */
export async function readList(inputs: Inputs, run: Run, resource?: Resource): Promise<DeclaredRows> {
  const rows = new DeclaredRows(resource ?? { key: '', label: 'Contacts' }, inputs.consent === 'no mail');
  const declarations = resource === undefined ? new Declarations() : run.declarations;
  await fill(rows, inputs, await run.known.names(), declarations, run.host.reporter);
  const { file } = inputs;
  const checked = file === undefined ? inputs : { ...inputs, file: withContent(file, rows.fingerprint) };
  if (resource !== undefined) run.lists.set(listKey(checked), rows);
  return rows;
}

/** The key of the rows that a run has read for these checked inputs. */
export function listKey(checked: Inputs): string {
  return createHash('sha256').update(canonicalJson(checked)).digest('base64');
}

/**
 * Reads rows and joins those of one contact. Says at least every 30 seconds how many rows it has read.
 *
 * @param onRow gets each row as it is in the list.
 * @throws ResourceError for a wrong row, or one that contradicts another.
 */
export async function fill(
  rows: DeclaredRows,
  inputs: Inputs,
  known: KnownNames,
  declarations: Declarations,
  reporter: Pick<Reporter, 'info'>,
  onRow?: (row: ListRow) => void,
): Promise<void> {
  declarations.begin(rows.resource, rows);
  /** Rows that contradict others are never left out. */
  const contradictions = new RowFaults();
  const list = rows.resource.label;
  const tell = throttled((count) => reporter.info(problem('contacts.reading', { list, count })));
  let count = 0;
  const reading = readContacts(inputs, known);
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next())
    for (const row of step.value) {
      tell((count += 1));
      onRow?.(row);
      rows.unit = row.unit;
      const { number, email, userId, values, emptied } = row;
      if (row.isLeftOut) {
        rows.skipped.push({ email, userId });
        continue;
      }
      const isBad = row.problems.length > 0;
      const wrong = add({ number, email, userId, values, emptied, isBad }, rows, declarations);
      if (wrong !== undefined) contradictions.add(locationOf(row.unit, number), asReason(wrong));
    }
  const { problems, wayOut, notes, columns, endsInLineEnd } = step.value;
  const all = [...(await groupProblems(columns, known)), ...problems, ...contradictions.problems];
  const source = nameOfSource(inputs);
  if (all.length > 0) throw new ResourceError(fileRefusal(source, all, wayOut));
  rows.notes = notes.map((note) =>
    note.code.startsWith('note.') ? fileText(note) : sentenceOf(source, note),
  );
  rows.endsInLineEnd = endsInLineEnd;
  for (const { field = 'email' } of known.isComplete ? [] : columns)
    if (!FIELDS.has(field) && groupOf(field) === undefined && !known.types.has(field))
      rows.untyped.push(field);
}

/** Adds a row, or joins it with another one of its contact. @returns how it contradicts another row. */
function add(content: RowContent, rows: DeclaredRows, declarations: Declarations): Problem | undefined {
  const keys = keysOf(content);
  const indexes = rows.indexesOf(keys);
  const [earlier, second] = indexes.map((index) => rows.at(index));
  if (earlier !== undefined && second !== undefined)
    return problem('contacts.joinedRows', { first: earlier.location, second: second.location });
  const field = earlier && fieldThatDiffers(comparable(earlier), comparable(content));
  if (earlier !== undefined && field !== undefined)
    return problem('contacts.twice', { where: earlier.location, field });
  const joined = earlier === undefined ? content : joinedOf(earlier, content);
  const clash = declarations.clash(keys, rows.of(joined), rows.resource);
  rows.set(joined, keys, indexes[0]);
  return clash && problem('contacts.twice', { where: clash.where, field: clash.field });
}

function joinedOf(earlier: RowContent, later: RowContent): RowContent {
  return {
    number: earlier.number,
    email: earlier.email ?? later.email,
    userId: earlier.userId ?? later.userId,
    values: { ...earlier.values, ...later.values },
    emptied: [...earlier.emptied, ...later.emptied],
    isBad: earlier.isBad && later.isBad,
  };
}

async function groupProblems(columns: Report['columns'], known: KnownNames): Promise<FileProblem[]> {
  const groups = columns.flatMap(({ field = '' }) => groupOf(field) ?? []);
  const problems = await Promise.all(groups.map(async (group) => known.groupProblem?.(group)));
  return problems.flatMap((wrong) => (wrong === undefined ? [] : asReason(wrong)));
}

function asReason(wrong: Problem): FileProblem {
  return { code: 'row.reason', expected: textOf(wrong) };
}
