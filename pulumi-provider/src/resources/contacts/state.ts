import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { sameEmail } from '../people/identity.js';
import type { Value } from '../people/values.js';
import { inputsSchema } from './inputs.js';
import type { DeclaredRow } from './rows.js';

/** Outputs that programs may use. */
export const countsSchema = z.object({
  count: z.int(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  notListedAnyMore: z.int(),
  skipped: z.int(),
});

/** What a run did with the rows of a list. */
export type Counts = z.infer<typeof countsSchema>;

/**
 * State of many contacts: the inputs, the counts, and hashes of what was written. `entries` has a line per row: the hash
 * of its email, of its userId (`-` where it has none), and per field four characters of the value's hash, `?` where the
 * value is unclear, `.` where none is declared.
 */
export const outputsSchema = z.extend(inputsSchema, {
  ...countsSchema.shape,
  fingerprint: z.string(),
  /** Whether the file ended in a line end: one that does not any more may be cut off. */
  endsInLineEnd: z.optional(z.boolean()),
  /** Hash of the service's address: in another service every row is new. */
  service: z.string(),
  /** Makes the hashes those of this list only; a secret. */
  salt: z.string(),
  /** Names of the declared values, in the order of the entries. */
  fields: z.array(z.string()),
  entries: z.string(),
});

/** State of many contacts. */
export type Outputs = z.infer<typeof outputsSchema>;

/** What an unclear write may have set. */
export const UNCLEAR = '?';

const NONE = '-';
const NOT_DECLARED = '.';
const IDENTIFIER_LENGTH = 12;
const VALUE_LENGTH = 4;

/** What state knows of one row: hashes only. */
export interface Entry {
  readonly email: string | undefined;
  readonly userId: string | undefined;
  /** Field to the hash of its value, or {@link UNCLEAR}. */
  readonly values: ReadonlyMap<string, string>;
}

/** Hashes of one list. */
export class Hashes {
  constructor(readonly salt: string) {}

  email(email: string): string {
    return this.#hash('email', sameEmail(email), IDENTIFIER_LENGTH);
  }

  userId(userId: string): string {
    return this.#hash('userId', userId, IDENTIFIER_LENGTH);
  }

  service(baseUrl: string): string {
    return this.#hash('service', baseUrl, IDENTIFIER_LENGTH);
  }

  value(field: string, value: Value): string {
    return this.#hash(`value ${field}`, JSON.stringify(value), VALUE_LENGTH);
  }

  /** The entry of a row that was written. */
  entryOf({ email, userId, values }: DeclaredRow): Entry {
    return {
      email: email === undefined ? undefined : this.email(email),
      userId: userId === undefined ? undefined : this.userId(userId),
      values: new Map(Object.entries(values).map(([name, value]) => [name, this.value(name, value)])),
    };
  }

  #hash(kind: string, text: string, length: number): string {
    return hash('sha256', `${this.salt}\n${kind}\n${text}`, 'base64url').slice(0, length);
  }
}

/** An entry some of whose values are unclear; all of them unless named. */
export function unsure(entry: Entry, names: Iterable<string> = entry.values.keys()): Entry {
  return {
    ...entry,
    values: new Map([...entry.values, ...[...names].map((name) => [name, UNCLEAR] as const)]),
  };
}

/** The entries of a state, by the hashes of their identifiers. */
export class Entries {
  readonly byEmail: ReadonlyMap<string, Entry>;
  readonly byUserId: ReadonlyMap<string, Entry>;

  constructor(readonly all: readonly Entry[]) {
    this.byEmail = new Map(all.flatMap((entry) => (entry.email === undefined ? [] : [[entry.email, entry]])));
    this.byUserId = new Map(
      all.flatMap((entry) => (entry.userId === undefined ? [] : [[entry.userId, entry]])),
    );
  }

  /** Whether a value of some row is unclear. */
  get isUnclear(): boolean {
    return this.all.some(({ values }) => [...values.values()].includes(UNCLEAR));
  }
}

/** Writes entries as state keeps them. */
export function formatEntries(entries: readonly Entry[]): Pick<Outputs, 'fields' | 'entries'> {
  const fields = [...new Set(entries.flatMap(({ values }) => [...values.keys()]))].sort();
  const lines = entries.map(
    ({ email = NONE, userId = NONE, values }) =>
      `${email} ${userId} ${fields.map((field) => values.get(field) ?? NOT_DECLARED).join('')}`,
  );
  return { fields, entries: lines.join('\n') };
}

/** Reads the entries of a state. */
export function parseEntries({ fields, entries }: Pick<Outputs, 'fields' | 'entries'>): Entries {
  const lines = entries === '' ? [] : entries.split('\n');
  return new Entries(lines.map((line) => parseEntry(line, fields)));
}

function parseEntry(line: string, fields: readonly string[]): Entry {
  const [email = NONE, userId = NONE, hashes = ''] = line.split(' ');
  const values = new Map<string, string>();
  let at = 0;
  for (const field of fields) {
    const isShort = hashes[at] === UNCLEAR || hashes[at] === NOT_DECLARED;
    const end = at + (isShort ? 1 : VALUE_LENGTH);
    if (hashes[at] !== NOT_DECLARED) values.set(field, hashes.slice(at, end));
    at = end;
  }
  return { email: given(email), userId: given(userId), values };
}

function given(hash: string): string | undefined {
  return hash === NONE ? undefined : hash;
}
