import { createHash } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import { Declarations, fieldThatDiffers, type Resource } from '../declarations.js';
import { FIELDS } from '../contact-record/fields.js';
import { comparable, keysOf } from '../contact-record/identity.js';
import { groupOf } from '../contact-record/values.js';
import type { Run } from '../run.js';
import { problem } from '../../messages/index.js';
import { withContent } from './content.js';
import { DeclaredRows } from './declared-rows.js';
import { Reading } from '../../contact-file/read.js';
import type { Inputs } from './inputs.js';

/** Reads the rows of checked inputs. Those of a `resource` are compared with others, and the run keeps them. */
export async function readList(inputs: Inputs, run: Run, resource?: Resource): Promise<DeclaredRows> {
  const known = await run.known.names();
  const reading = new Reading(inputs, known, resource, {
    onProgress: (count) =>
      run.host.reporter.info(problem('contacts.reading', { list: reading.resource.label, count })),
  });
  const rows = await readRows(reading, resource === undefined ? new Declarations() : run.declarations);
  if ((await run.known.listedProperties()) === undefined)
    for (const { field = 'email' } of reading.columns.all.values())
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

/** Reads rows and joins those of one contact. A wrong row, or one that contradicts another, is a ResourceError. */
export async function readRows(reading: Reading, declarations: Declarations): Promise<DeclaredRows> {
  const rows = new DeclaredRows(reading);
  declarations.begin(reading.resource, rows);
  await reading.read((row) => {
    const keys = keysOf(row);
    const indexes = rows.indexesOf(keys);
    const [earlier, second] = indexes.map((index) => rows.at(index));
    if (earlier !== undefined && second !== undefined)
      return problem('contacts.joinedRows', { first: earlier.location, second: second.location });
    const field = earlier && fieldThatDiffers(comparable(earlier), comparable(row));
    if (earlier !== undefined && field !== undefined)
      return problem('contacts.twice', { where: earlier.location, field });
    const joined = earlier?.with(row) ?? row;
    const clash = declarations.clash(keys, joined, reading.resource);
    rows.set(joined, keys, indexes[0]);
    return clash && problem('contacts.twice', { where: clash.where, field: clash.field });
  });
  return rows;
}
