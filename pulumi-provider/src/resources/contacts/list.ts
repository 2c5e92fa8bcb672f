import { createHash } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import { RowFaults, type FileProblem } from '../../contact-file/problems.js';
import { readContacts, type ListRow } from '../../contact-file/read.js';
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
import { fingerprintOf, type DeclaredRow, type DeclaredRows } from './declared-rows.js';
import { nameOfSource, type Inputs } from './inputs.js';

/** Reads the rows of checked inputs. Those of a `resource` are compared with others, and the run keeps them. */
export async function readList(inputs: Inputs, run: Run, resource?: Resource): Promise<DeclaredRows> {
  const known = await run.known.names();
  if (resource === undefined)
    return declare(inputs, known, new Declarations(), { key: '', label: 'Contacts' });
  const list = await declare(inputs, known, run.declarations, resource);
  run.lists.set(listKey(withContent(inputs, fingerprintOf(list))), list);
  return list;
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
  const onFault = ({ location }: ListRow, wrong: Problem): void => faults.add(location, asReason(wrong));
  const rows: DeclaredRow[] = [];
  const skipped: ListRow[] = [];
  for (const { row, keys } of joined(reading.rows, onFault)) {
    if (row.isSkipped && row.values['subscribed'] !== false) {
      skipped.push(row);
      continue;
    }
    const own = { ...row, resource };
    rows.push(own);
    const clash = declarations.add(keys, own);
    if (clash !== undefined) onFault(row, problem('contacts.twice', clash));
  }
  const problems = [...(await groupProblems(reading.fields, known)), ...reading.problems, ...faults.problems];
  if (problems.length > 0)
    throw new ResourceError(fileRefusal(nameOfSource(inputs), problems, reading.wayOut));
  return {
    resource,
    isOptOutList: inputs.consent === 'no mail',
    rows,
    skipped,
    untyped: known.isComplete ? [] : untypedOf(reading.fields, known),
    notes: reading.notes.map((one) => fileText(one)),
  };
}

/** The rows of one contact as one, and the keys of all of them. */
interface Joined {
  row: ListRow;
  keys: readonly string[];
}

/** Joins rows of one contact. One "no mail" decides, then one "skip". */
function joined(
  rows: readonly ListRow[],
  onFault: (row: ListRow, wrong: Problem) => void,
): readonly Joined[] {
  const contacts: Joined[] = [];
  const byKey = new Map<string, Joined>();
  for (const row of rows) {
    const keys = keysOf(row);
    const known = keys.flatMap((key) => byKey.get(key) ?? []);
    const [earlier] = known;
    const second = known.find((one) => one !== earlier);
    const wrong = earlier && faultOf(earlier.row, second?.row, row);
    if (wrong !== undefined) {
      onFault(row, wrong);
      continue;
    }
    const contact = earlier ?? { row, keys };
    if (earlier === undefined) contacts.push(contact);
    else {
      contact.row = joinedWith(earlier.row, row);
      contact.keys = [...new Set([...earlier.keys, ...keys])];
    }
    for (const key of keys) byKey.set(key, contact);
  }
  return contacts;
}

function joinedWith(earlier: ListRow, later: ListRow): ListRow {
  return {
    location: earlier.location,
    email: earlier.email ?? later.email,
    userId: earlier.userId ?? later.userId,
    values: { ...earlier.values, ...later.values },
    isSkipped: earlier.isSkipped || later.isSkipped,
  };
}

/** How a row contradicts earlier ones with its identifiers. */
function faultOf(earlier: ListRow, second: ListRow | undefined, row: ListRow): Problem | undefined {
  const where = earlier.location;
  if (second !== undefined) return problem('contacts.joinedRows', { first: where, second: second.location });
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
