import { createHash } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import { RowFaults, type FileProblem } from '../../contact-file/problems.js';
import { readContacts, type ListRow } from '../../contact-file/read.js';
import { locationOf, type Unit } from '../../contact-file/table.js';
import { fileRefusal, fileText } from '../../messages/files.js';
import { problem, textOf, type Problem } from '../../messages/index.js';
import { FIELDS } from '../contact-record/fields.js';
import { comparable, keysOf } from '../contact-record/identity.js';
import { groupOf } from '../contact-record/values.js';
import { Declarations, fieldThatDiffers, type Resource } from '../declarations.js';
import { ResourceError } from '../errors.js';
import type { KnownNames } from '../known-service.js';
import type { Run } from '../run.js';
import { withContent } from './content.js';
import { DeclaredRows } from './declared-rows.js';
import { nameOfSource, type Inputs } from './inputs.js';

/** Reads the rows of checked inputs. Those of a `resource` are compared with others, and the run keeps them. */
export async function readList(inputs: Inputs, run: Run, resource?: Resource): Promise<DeclaredRows> {
  const known = await run.known.names();
  if (resource === undefined)
    return declare(inputs, known, new Declarations(), { key: '', label: 'Contacts' });
  const rows = await declare(inputs, known, run.declarations, resource);
  const { file } = inputs;
  const checked = file === undefined ? inputs : { ...inputs, file: withContent(file, rows.fingerprint) };
  run.lists.set(listKey(checked), rows);
  return rows;
}

/** The key of the rows that a run has read for these checked inputs. */
export function listKey(checked: Inputs): string {
  return createHash('sha256').update(canonicalJson(checked)).digest('base64');
}

/**
 * Reads rows, joins those of one contact, and compares them with other declarations.
 *
 * @throws ResourceError for a wrong row, or one that contradicts another.
 */
export async function declare(
  inputs: Inputs,
  known: KnownNames,
  declarations: Declarations,
  resource: Resource,
): Promise<DeclaredRows> {
  declarations.begin(resource);
  const reading = await readContacts(inputs, known);
  const faults = new RowFaults();
  const note = (row: ListRow, wrong: Problem): void =>
    faults.add(locationOf(reading.unit, row.number), asReason(wrong));
  const contacts = joined(reading.rows, reading.unit, note);
  const isLeftOut = (row: ListRow): boolean => row.isSkipped && row.values['subscribed'] !== false;
  const rows = contacts
    .filter((row) => !isLeftOut(row))
    .map(({ number, email, userId, values }) => ({
      number,
      email,
      userId,
      values,
      resource,
      location: locationOf(reading.unit, number),
    }));
  for (const row of rows) {
    const clash = declarations.add(keysOf(row), row);
    if (clash !== undefined)
      note(
        { ...row, isSkipped: false },
        problem('contacts.twice', { where: clash.where, field: clash.field }),
      );
  }
  const problems = [...(await groupProblems(reading.fields, known)), ...reading.problems, ...faults.problems];
  if (problems.length > 0)
    throw new ResourceError(fileRefusal(nameOfSource(inputs), problems, reading.wayOut));
  const list = new DeclaredRows(resource, inputs.consent === 'no mail', {
    rows,
    skipped: contacts.filter(isLeftOut),
    untyped: known.isComplete ? [] : untypedOf(reading.fields, known),
    notes: reading.notes.map((one) => fileText(one)),
  });
  return list;
}

/** Joins rows of one contact. One "no mail" decides, then one "skip". */
function joined(
  rows: readonly ListRow[],
  unit: Unit,
  onFault: (row: ListRow, wrong: Problem) => void,
): readonly ListRow[] {
  const contacts: ListRow[] = [];
  const indexes = new Map<string, number>();
  for (const row of rows) {
    const keys = keysOf(row);
    const known = keys.flatMap((key) => indexes.get(key) ?? []);
    const index = known[0] ?? contacts.length;
    const second = known.find((one) => one !== index);
    const earlier = contacts[index];
    const other = second === undefined ? undefined : contacts[second];
    const wrong = earlier && faultOf(earlier, other, row, unit);
    if (wrong !== undefined) {
      onFault(row, wrong);
      continue;
    }
    contacts[index] = earlier === undefined ? row : joinedWith(earlier, row);
    for (const key of keys) indexes.set(key, index);
  }
  return contacts;
}

function joinedWith(earlier: ListRow, later: ListRow): ListRow {
  return {
    number: earlier.number,
    email: earlier.email ?? later.email,
    userId: earlier.userId ?? later.userId,
    values: { ...earlier.values, ...later.values },
    isSkipped: earlier.isSkipped || later.isSkipped,
  };
}

/** How a row contradicts earlier ones with its identifiers. */
function faultOf(
  earlier: ListRow,
  second: ListRow | undefined,
  row: ListRow,
  unit: Unit,
): Problem | undefined {
  const where = locationOf(unit, earlier.number);
  if (second !== undefined)
    return problem('contacts.joinedRows', { first: where, second: locationOf(unit, second.number) });
  const field = fieldThatDiffers(comparable(earlier), comparable(row));
  return field === undefined ? undefined : problem('contacts.twice', { where, field });
}

function untypedOf(fields: readonly string[], known: KnownNames): readonly string[] {
  return fields.filter(
    (field) => !FIELDS.has(field) && groupOf(field) === undefined && !known.types.has(field),
  );
}

async function groupProblems(fields: readonly string[], known: KnownNames): Promise<FileProblem[]> {
  const groups = fields.flatMap((field) => groupOf(field) ?? []);
  const problems = await Promise.all(groups.map(async (group) => known.groupProblem?.(group)));
  return problems.flatMap((wrong) => (wrong === undefined ? [] : asReason(wrong)));
}

function asReason(wrong: Problem): FileProblem {
  return { code: 'row.reason', expected: textOf(wrong) };
}
