import { createHash } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import { sameEmail } from '../people/identity.js';
import type { Run } from '../run.js';
import { digits } from '../words.js';
import { Reading } from './file/read.js';
import type { SkippedRow } from './file/row-builder.js';
import type { Inputs } from './inputs.js';
import type { DeclaredRow } from './rows.js';

/** The declared rows of one resource, read once in a run. */
export interface List {
  readonly rows: readonly DeclaredRow[];
  /** Rows that `invalidRows: 'skip'` skips. */
  readonly skipped: readonly SkippedRow[];
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
export async function readList(inputs: Inputs, run: Run): Promise<List> {
  const properties = await run.properties.known();
  const reading = new Reading(inputs, { ...properties, groupProblem: (id) => run.groups.problemOf(id) });
  const rows = new Rows();
  try {
    for await (const row of reading.rows()) {
      const contradiction = rows.add(row);
      if (contradiction !== undefined) reading.contradictions.add(row.location, '', contradiction);
    }
  } catch (error) {
    // A property may have been made since the service was asked.
    const { types } = await run.properties.known(reading.unknown);
    if (reading.unknown.some((name) => types.has(name))) return readList(inputs, run);
    throw error;
  }
  const all = rows.all();
  const { skipped, endsInLineEnd } = reading;
  const list = { rows: all, skipped, endsInLineEnd, notes: reading.notes(), fingerprint: fingerprintOf(all) };
  const known = lists.get(run) ?? new Map<string, List>();
  lists.set(run, known.set(keyOf({ ...inputs, fingerprint: list.fingerprint }), list));
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
  readonly #rows: DeclaredRow[] = [];
  readonly #byEmail = new Map<string, number>();
  readonly #byUserId = new Map<string, number>();

  all(): readonly DeclaredRow[] {
    return this.#rows;
  }

  /** @returns why the row contradicts an earlier one of the same contact. */
  add(row: DeclaredRow): string | undefined {
    const { email, userId } = row;
    const byEmail = email === undefined ? undefined : this.#byEmail.get(sameEmail(email));
    const byUserId = userId === undefined ? undefined : this.#byUserId.get(userId);
    const index = byEmail ?? byUserId;
    const earlier = index === undefined ? undefined : this.#rows[index];
    if (index === undefined || earlier === undefined) {
      this.#put(this.#rows.length, row);
      return undefined;
    }
    if (byEmail !== undefined && byUserId !== undefined && byEmail !== byUserId) {
      return `names the contacts of ${earlier.location} and ${this.#rows[byUserId]?.location ?? ''}: join them`;
    }
    const reason = contradiction(earlier, row);
    if (reason === undefined) this.#put(index, joined(earlier, row));
    return reason;
  }

  #put(index: number, row: DeclaredRow): void {
    this.#rows[index] = row;
    if (row.email !== undefined) this.#byEmail.set(sameEmail(row.email), index);
    if (row.userId !== undefined) this.#byUserId.set(row.userId, index);
  }
}

function joined(earlier: DeclaredRow, row: DeclaredRow): DeclaredRow {
  const emptied = [...(earlier.emptied ?? []), ...(row.emptied ?? [])];
  const values = { ...earlier.values, ...row.values };
  return { ...row, ...earlier, values, ...(emptied.length === 0 ? {} : { emptied }) };
}

function contradiction(earlier: DeclaredRow, row: DeclaredRow): string | undefined {
  const identifier = (['email', 'userId'] as const).find(
    (name) =>
      earlier[name] !== undefined &&
      row[name] !== undefined &&
      (name === 'email' ? sameEmail(earlier[name]) !== sameEmail(row[name]) : earlier[name] !== row[name]),
  );
  const field =
    identifier ??
    Object.keys(row.values).find(
      (name) => Object.hasOwn(earlier.values, name) && earlier.values[name] !== row.values[name],
    );
  return field === undefined
    ? undefined
    : `is the same contact as ${earlier.location}, with another value of '${field}'. Keep one of them`;
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
  const number = `${digits(rows.length)} contact${rows.length === 1 ? '' : 's'}`;
  return `${number}, ${hash.update(text).digest('hex').slice(0, 6)}`;
}

/** Characters that are hashed at once. */
const CHUNK = 65_536;
