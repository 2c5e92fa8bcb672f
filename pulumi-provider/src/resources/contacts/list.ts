import { createHash } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import { groupOf, typeOf } from '../../contact-file/fields.js';
import { RowFaults, type FileProblem } from '../../contact-file/problems.js';
import { readContacts, type ListRow } from '../../contact-file/read.js';
import { fileRefusal, fileText } from '../../messages/files.js';
import { problem, textOf, type Problem } from '../../messages/index.js';
import { comparable, keysOf } from '../contact-record/identity.js';
import { fieldThatDiffers, type Declarations, type Resource } from '../declarations.js';
import { ResourceError } from '../errors.js';
import type { KnownNames } from '../known-service.js';
import type { Run } from '../run.js';
import { withContent } from './content.js';
import { fingerprintOf, type DeclaredRow, type DeclaredRows } from './declared-rows.js';
import { nameOfSource, type Inputs } from './inputs.js';

/** Reads the rows of checked inputs. Those of a `resource` are compared with others, and the run keeps them. */
export async function readList(inputs: Inputs, run: Run, resource?: Resource): Promise<DeclaredRows> {
  const known = await run.known.names();
  if (resource === undefined) return declare(inputs, known, { key: '', label: 'Contacts' });
  const list = await declare(inputs, known, resource, run.declarations);
  run.lists.set(listKey(withContent(inputs, fingerprintOf(list))), list);
  return list;
}

/** The key of the rows that a run has read for these checked inputs. */
export function listKey(checked: Inputs): string {
  return createHash('sha256').update(canonicalJson(checked)).digest('base64');
}

/**
 * Reads rows, joins those of one contact, and compares them with other declarations, where there are some.
 *
 * @throws ResourceError for a wrong row, or one that contradicts another.
 */
export async function declare(
  inputs: Inputs,
  known: KnownNames,
  resource: Resource,
  declarations?: Declarations,
): Promise<DeclaredRows> {
  const reading = await readContacts(inputs, known);
  const faults = new RowFaults();
  const onFault = ({ location }: ListRow, wrong: Problem): void => faults.add(location, asReason(wrong));
  const contacts = joined(reading.rows, onFault);
  const declared = contacts.filter(({ isSkipped }) => !isSkipped);
  const rows = declared.map((row): DeclaredRow => ({ ...row, resource }));
  for (const row of rows) {
    const clash = declarations?.add(keysOf(row), row);
    if (clash !== undefined) onFault(row, problem('contacts.twice', clash));
  }
  const groups = reading.fields.flatMap((field) => groupOf(field) ?? []);
  const unknown = (await known.groupProblems?.(groups)) ?? [];
  const problems = [...unknown.map(asReason), ...reading.problems, ...faults.problems];
  if (problems.length > 0)
    throw new ResourceError(fileRefusal(nameOfSource(inputs), problems, reading.wayOut));
  return {
    resource,
    rows,
    skipped: contacts.filter(({ isSkipped }) => isSkipped),
    untyped: known.isComplete ? [] : reading.fields.filter((field) => typeOf(field, known) === undefined),
    notes: reading.notes.map((one) => fileText(one)),
  };
}

/** Joins rows of one contact. One "no mail" decides, then one "skip". */
function joined(
  rows: readonly ListRow[],
  onFault: (row: ListRow, wrong: Problem) => void,
): readonly ListRow[] {
  const contacts: ListRow[] = [];
  const byKey = new Map<string, ListRow>();
  for (const row of rows) {
    const keys = keysOf(row);
    const [earlier, second] = new Set(keys.flatMap((key) => byKey.get(key) ?? []));
    const wrong = earlier && faultOf(earlier, second, row);
    if (wrong !== undefined) {
      onFault(row, wrong);
      continue;
    }
    if (earlier === undefined) contacts.push(row);
    else Object.assign(earlier, joinedWith(earlier, row));
    for (const key of keys) byKey.set(key, earlier ?? row);
  }
  return contacts;
}

function joinedWith(earlier: ListRow, later: ListRow): ListRow {
  const values = { ...earlier.values, ...later.values };
  return {
    location: earlier.location,
    email: earlier.email ?? later.email,
    userId: earlier.userId ?? later.userId,
    values,
    isSkipped: (earlier.isSkipped || later.isSkipped) && values['subscribed'] !== false,
  };
}

/** How a row contradicts earlier ones with its identifiers. */
function faultOf(earlier: ListRow, second: ListRow | undefined, row: ListRow): Problem | undefined {
  const where = earlier.location;
  if (second !== undefined) return problem('contacts.joinedRows', { first: where, second: second.location });
  const field = fieldThatDiffers(comparable(earlier), comparable(row));
  return field === undefined ? undefined : problem('contacts.twice', { where, field });
}

function asReason(wrong: Problem): FileProblem {
  return { code: 'row.reason', expected: textOf(wrong) };
}
