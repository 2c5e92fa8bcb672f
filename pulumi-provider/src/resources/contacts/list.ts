import { createHash } from 'node:crypto';
import { canAddress, canonicalJson } from 'audience-core/internal';
import type { PropertyTypes } from '../known-properties.js';
import { isGiven, NO_ADDRESS, sameEmail } from '../people/identity.js';
import { groupOf } from '../people/values.js';
import { FIELDS } from '../people/fields.js';
import type { Run } from '../run.js';
import { digits } from '../words.js';
import type { Inputs } from './inputs.js';
import { readRows } from './rows.js';
import type { DeclaredRow } from './rows.js';

/** The declared rows of one resource, read once in a run. */
export interface List {
  readonly rows: readonly DeclaredRow[];
  /** What is wrong with them: `line 7: 'email' must be an email address`. */
  readonly faults: readonly string[];
  /** Names of all declared values. */
  readonly fields: readonly string[];
  /** Number and hash of the rows: what the diff shows. */
  readonly fingerprint: string;
}

const lists = new WeakMap<Run, Map<string, List>>();

/** Reads the rows of checked inputs, and keeps them for the rest of the run. */
export async function readList(inputs: Inputs, run: Run): Promise<List> {
  const faults: string[] = [];
  const rows = new Rows((fault) => faults.push(fault));
  const typesOf = typesFor(inputs, run);
  for await (const row of readRows(inputs, { typesOf, onFault: (fault) => faults.push(fault) }))
    rows.add(row);
  const all = rows.all();
  const fields = [...new Set(all.flatMap(({ values }) => Object.keys(values)))].sort();
  const unknown = await unknownNames(all, fields, inputs, run);
  const list = {
    rows: all,
    faults: unknown.length > 0 ? unknown : faults,
    fields,
    fingerprint: fingerprintOf(all),
  };
  const known = lists.get(run) ?? new Map<string, List>();
  lists.set(run, known.set(keyOf({ ...inputs, fingerprint: list.fingerprint }), list));
  return list;
}

/** The rows that this run has read for these inputs; `undefined` where their check was not in this run. */
export function listOf(inputs: Inputs, run: Run): List | undefined {
  return lists.get(run)?.get(keyOf(inputs));
}

function keyOf({ file, format, delimiter, fingerprint }: Inputs): string {
  return canonicalJson({ file, format, delimiter, fingerprint });
}

/** Types as the service lists them or the program declares them; the same names are asked for once. */
function typesFor(
  { propertyTypes = {} }: Inputs,
  run: Run,
): (names: readonly string[]) => Promise<PropertyTypes> {
  const types = new Map(Object.entries(propertyTypes));
  const asked = new Set(types.keys());
  return async (names) => {
    const open = names.filter((name) => !asked.has(name));
    if (open.length > 0) {
      for (const [name, type] of await run.properties.typesOf(open)) types.set(name, type);
      for (const name of open) asked.add(name);
    }
    return types;
  };
}

/** Rows as they are added: two that name one contact become one. */
class Rows {
  readonly #rows: DeclaredRow[] = [];
  readonly #byEmail = new Map<string, number>();
  readonly #byUserId = new Map<string, number>();

  constructor(private readonly onFault: (fault: string) => void) {}

  all(): readonly DeclaredRow[] {
    return this.#rows;
  }

  add(row: DeclaredRow): void {
    const { location, email, userId } = row;
    const fault =
      email === undefined && userId === undefined
        ? "has neither an 'email' nor a 'userId'"
        : email === undefined && isGiven(userId) && !canAddress(userId)
          ? `its 'userId' ${NO_ADDRESS}`
          : undefined;
    if (fault !== undefined) {
      this.onFault(`${location}: ${fault}`);
      return;
    }
    const [byEmail, byUserId] = [
      email === undefined ? undefined : this.#byEmail.get(sameEmail(email)),
      userId === undefined ? undefined : this.#byUserId.get(userId),
    ];
    const index = byEmail ?? byUserId;
    const earlier = index === undefined ? undefined : this.#rows[index];
    if (index === undefined || earlier === undefined) {
      this.#put(this.#rows.length, row);
      return;
    }
    const problem =
      byEmail !== undefined && byUserId !== undefined && byEmail !== byUserId
        ? `names the contacts of ${earlier.location} and ${this.#rows[byUserId]?.location ?? ''}: join them`
        : contradiction(earlier, row);
    if (problem !== undefined) this.onFault(`${location}: ${problem}`);
    else this.#put(index, { ...row, ...earlier, values: { ...earlier.values, ...row.values } });
  }

  #put(index: number, row: DeclaredRow): void {
    this.#rows[index] = row;
    if (row.email !== undefined) this.#byEmail.set(sameEmail(row.email), index);
    if (row.userId !== undefined) this.#byUserId.set(row.userId, index);
  }
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

/** Names that are neither field, property nor group, each told once: all rows have them. */
async function unknownNames(
  rows: readonly DeclaredRow[],
  fields: readonly string[],
  { propertyTypes = {} }: Inputs,
  run: Run,
): Promise<string[]> {
  const faults: string[] = [];
  for (const name of fields) {
    if (FIELDS.has(name) || Object.hasOwn(propertyTypes, name)) continue;
    const group = groupOf(name);
    const problem = await (group === undefined
      ? run.properties.problemOf(name)
      : run.groups.problemOf(group));
    if (problem === undefined) continue;
    const first = rows.find(({ values }) => Object.hasOwn(values, name));
    faults.push(`${first?.location ?? 'line 1'}: '${name}' ${problem}`);
  }
  return faults;
}

function fingerprintOf(rows: readonly DeclaredRow[]): string {
  const hash = createHash('sha256');
  for (const { email, userId, values } of rows) hash.update(`${canonicalJson({ email, userId, values })}\n`);
  const number = `${digits(rows.length)} contact${rows.length === 1 ? '' : 's'}`;
  return `${number}, ${hash.digest('hex').slice(0, 6)}`;
}
