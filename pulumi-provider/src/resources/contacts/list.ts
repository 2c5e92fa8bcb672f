import { createHash } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import { comparable, keysOf } from '../people/identity.js';
import type { Run } from '../run.js';
import { contactsOf } from '../words.js';
import { Reading } from './file/read.js';
import type { Inputs } from './inputs.js';
import type { DeclaredRow, RowIdentity } from './rows.js';

/** The declared rows of one resource, read once in a run. */
export interface List {
  /** The resource for messages: `Contacts 'customers'`. */
  readonly label: string;
  readonly rows: readonly DeclaredRow[];
  /** Rows that `invalidRows: 'skip'` skips. */
  readonly skipped: readonly RowIdentity[];
  /** What the plan says of the reading. */
  readonly notes: readonly string[];
  /** Whether the file ends in a line end; `undefined` where that says nothing. */
  readonly endsInLineEnd: boolean | undefined;
  /** Number and hash of the rows: what the diff shows. */
  readonly fingerprint: string;
}

const lists = new WeakMap<Run, Map<string, List>>();

/**
 * Reads the rows of checked inputs, and keeps them for the rest of the run.
 *
 * @throws ResourceError when a row is wrong, or the file cannot be read.
 */
export async function readList(inputs: Inputs, run: Run, label = 'Contacts'): Promise<List> {
  const properties = await run.known.propertyTypes();
  const reading = new Reading(inputs, { ...properties, groupProblem: (id) => run.known.groupProblem(id) });
  const rows = new Rows();
  try {
    for await (const row of reading.rows()) {
      const contradiction = rows.add(row);
      if (contradiction !== undefined) reading.contradictions.add(row.location, '', contradiction);
    }
  } catch (error) {
    // A property may have been made since the service was asked.
    const { types } = await run.known.propertyTypes(reading.unknown);
    if (reading.unknown.some((name) => types.has(name))) return readList(inputs, run, label);
    throw error;
  }
  const { skipped, endsInLineEnd } = reading;
  const fingerprint = fingerprintOf(rows.all);
  const list = { label, rows: rows.all, skipped, endsInLineEnd, notes: reading.notes(), fingerprint };
  const known = lists.get(run) ?? new Map<string, List>();
  lists.set(run, known.set(keyOf({ ...inputs, fingerprint }), list));
  return list;
}

/** The rows that this run has read for these inputs; `undefined` where their check was not in this run. */
export function listOf(inputs: Inputs, run: Run): List | undefined {
  return lists.get(run)?.get(keyOf(inputs));
}

function keyOf({ file, fingerprint, columns, invalidRows }: Inputs): string {
  return canonicalJson({ file, fingerprint, columns, invalidRows });
}

/** Rows as they are added: two that name one contact become one. */
class Rows {
  readonly all: DeclaredRow[] = [];
  readonly #byKey = new Map<string, number>();

  /** @returns why the row contradicts an earlier one of the same contact. */
  add(row: DeclaredRow): string | undefined {
    const keys = keysOf(row);
    const [index = this.all.length, other = index] = keys.flatMap((key) => this.#byKey.get(key) ?? []);
    const earlier = this.all[index];
    if (earlier !== undefined && other !== index)
      return `names the contacts of ${earlier.location} and ${this.all[other]?.location ?? ''}: join them`;
    const reason = earlier && contradiction(earlier, row);
    if (reason !== undefined) return reason;
    this.all[index] = earlier === undefined ? row : joined(earlier, row);
    for (const key of keys) this.#byKey.set(key, index);
    return undefined;
  }
}

function joined(earlier: DeclaredRow, row: DeclaredRow): DeclaredRow {
  const emptied = [...(earlier.emptied ?? []), ...(row.emptied ?? [])];
  const values = { ...earlier.values, ...row.values };
  return { ...row, ...earlier, values, ...(emptied.length === 0 ? {} : { emptied }) };
}

function contradiction(earlier: DeclaredRow, row: DeclaredRow): string | undefined {
  const [before, after] = [comparable(earlier, earlier.values), comparable(row, row.values)];
  const field = Object.keys(after).find(
    (name) => Object.hasOwn(before, name) && before[name] !== after[name],
  );
  return (
    field && `is the same contact as ${earlier.location}, with another value of '${field}'. Keep one of them`
  );
}

function fingerprintOf(rows: readonly DeclaredRow[]): string {
  const hash = createHash('sha256');
  let text = '';
  for (const { email, userId, values, emptied } of rows) {
    const sorted = Object.keys(values)
      .sort()
      .map((name) => [name, values[name]]);
    text += JSON.stringify([email, userId, sorted, emptied]);
    if (text.length < CHUNK) continue;
    hash.update(text);
    text = '';
  }
  return `${contactsOf(rows.length)}, ${hash.update(text).digest('hex').slice(0, 6)}`;
}

/** Characters that are hashed at once. */
const CHUNK = 65_536;
