import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { sameEmail } from '../contact-record/identity.js';
import type { Value } from '../contact-record/values.js';
import { inputsSchema } from './inputs.js';
import type { Identity } from '../contact-record/identity.js';
import type { DeclaredRow } from './file/read.js';

/** Outputs for programs. */
export const countsSchema = z.object({
  count: z.int(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  notListedAnyMore: z.int(),
  skipped: z.int(),
});

/**
 * State of many contacts: the inputs, the counts, and hashes of written values. `entries` has a line per row: the hash
 * of its email, the hash of its userId (`-` for none), and for each field four characters of the value's hash, `?` for
 * an unclear value, or `.` for none.
 */
export const outputsSchema = z.extend(inputsSchema, {
  ...countsSchema.shape,
  fingerprint: z.string(),
  /** Whether the file ended in a line end. If the next one does not, it may be cut off. */
  endsInLineEnd: z.optional(z.boolean()),
  /** Hash of the service's address. In another service every row is new. */
  service: z.string(),
  /** Secret salt of the hashes. */
  salt: z.string(),
  /** Names of the declared values, in the order of the entries. */
  fields: z.array(z.string()),
  entries: z.string(),
});

export type Outputs = z.infer<typeof outputsSchema>;

/** A value that an unclear write may have set. */
export const UNCLEAR = '?';

const NONE = '-';
const NOT_DECLARED = '.';
const IDENTIFIER_LENGTH = 12;
const VALUE_LENGTH = 4;

/** What state has of one row: hashes only. */
export interface Entry {
  readonly email: string | undefined;
  readonly userId: string | undefined;
  /** Field to the hash of its value, or {@link UNCLEAR}. */
  readonly values: ReadonlyMap<string, string>;
}

/** Makes the hashes of one list. */
export class Hashes {
  constructor(readonly salt: string) {}

  service(baseUrl: string): string {
    return this.#hash('service', baseUrl, IDENTIFIER_LENGTH);
  }

  value(field: string, value: Value): string {
    return this.#hash(`value ${field}`, JSON.stringify(value), VALUE_LENGTH);
  }

  identityOf({ email, userId }: Identity): Pick<Entry, 'email' | 'userId'> {
    return {
      email: email === undefined ? undefined : this.#hash('email', sameEmail(email), IDENTIFIER_LENGTH),
      userId: userId === undefined ? undefined : this.#hash('userId', userId, IDENTIFIER_LENGTH),
    };
  }

  entryOf(row: DeclaredRow, values = row.values): Entry {
    return {
      ...this.identityOf(row),
      values: new Map(Object.entries(values).map(([name, value]) => [name, this.value(name, value)])),
    };
  }

  #hash(kind: string, text: string, length: number): string {
    return hash('sha256', `${this.salt}\n${kind}\n${text}`, 'base64url').slice(0, length);
  }
}

/** The entry with these values unclear; all of them unless named. */
export function unsure(entry: Entry, names: Iterable<string> = entry.values.keys()): Entry {
  const values = new Map(entry.values);
  for (const name of names) values.set(name, UNCLEAR);
  return { ...entry, values };
}

/** State of a list before a run. */
export class Before {
  readonly byEmail: ReadonlyMap<string | undefined, Entry>;
  readonly byUserId: ReadonlyMap<string | undefined, Entry>;

  /** @param isOther whether this service has no state: then every row is new. */
  constructor(
    readonly hashes: Hashes,
    readonly entries: readonly Entry[] = [],
    readonly isOther = false,
  ) {
    const by = (name: 'email' | 'userId'): Map<string | undefined, Entry> =>
      new Map(entries.filter((entry) => entry[name] !== undefined).map((entry) => [entry[name], entry]));
    this.byEmail = by('email');
    this.byUserId = by('userId');
  }

  get isUnclear(): boolean {
    return this.entries.some(({ values }) => [...values.values()].includes(UNCLEAR));
  }
}

/** Serializes entries for state. */
export function formatEntries(entries: readonly Entry[]): Pick<Outputs, 'fields' | 'entries'> {
  const fields = [...new Set(entries.flatMap(({ values }) => [...values.keys()]))].sort();
  const lines = entries.map(
    ({ email = NONE, userId = NONE, values }) =>
      `${email} ${userId} ${fields.map((field) => values.get(field) ?? NOT_DECLARED).join('')}`,
  );
  return { fields, entries: lines.join('\n') };
}

/** Parses the state of a list, for the service with this address. */
export function beforeOf({ service, salt, fields, entries }: Outputs, baseUrl: string): Before {
  const hashes = new Hashes(salt);
  const isOther = service !== hashes.service(baseUrl);
  const lines = isOther || entries === '' ? [] : entries.split('\n');
  const parsed = lines.map((line) => parseEntry(line, fields));
  return new Before(hashes, parsed, isOther);
}

function parseEntry(line: string, fields: readonly string[]): Entry {
  const [email, userId, hashes = ''] = line.split(' ').map((part) => (part === NONE ? undefined : part));
  const values = new Map<string, string>();
  let at = 0;
  for (const field of fields) {
    const isShort = hashes[at] === UNCLEAR || hashes[at] === NOT_DECLARED;
    const end = at + (isShort ? 1 : VALUE_LENGTH);
    if (hashes[at] !== NOT_DECLARED) values.set(field, hashes.slice(at, end));
    at = end;
  }
  return { email, userId, values };
}
