import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { problem } from '../../messages/index.js';
import { sameEmail, type Identity } from '../contact-record/identity.js';
import type { Value } from '../contact-record/values.js';
import type { Knows } from '../creations.js';
import { ResourceError } from '../errors.js';
import type { Raw } from '../raw.js';
import { inputsSchema, type Inputs } from './inputs.js';

/** Changes with the format of the state. */
const VERSION = 1;

/** Outputs for programs: how many contacts are declared. */
export const countSchema = z.object({ count: z.int() });

/**
 * State of many contacts: the inputs, the count, and hashes of written values. `entries` has a line per row: the hash
 * of its email, the hash of its userId (`-` for none), and for each field six characters of the value's hash, `?`, `.` or
 * `-` for a group that was not joined; then `gone` or `nobody` where the service does not have the contact.
 */
export const outputsSchema = z.extend(inputsSchema, {
  ...countSchema.shape,
  /** Of this format of the state. */
  version: z.literal(VERSION),
  /** {@link writtenOf} the list when all rows had ended; empty after a partial failure. */
  written: z.string(),
  /** Address of the service that has the contacts. */
  address: z.string(),
  salt: z.string(),
  /** Names of the declared values, in the order of the entries. */
  fields: z.array(z.string()),
  entries: z.string(),
});

export type Outputs = z.infer<typeof outputsSchema>;

/** A value that an unclear write may have set, or that differs in the service; an email that differs there. */
export const UNCLEAR = '?';

/** A group that was not joined, as the contact may have left it. */
export const LEFT = '-';

const NONE = '-';
const NOT_DECLARED = '.';
const IDENTIFIER_LENGTH = 12;
const VALUE_LENGTH = 6;
const MARK_OR_HASH = new RegExp(`[?.-]|[^?.-]{${VALUE_LENGTH}}`, 'g');

export interface Entry {
  readonly email: string | undefined;
  readonly userId: string | undefined;
  /** Field to the hash of its value, to {@link UNCLEAR} or to {@link LEFT}. */
  readonly values: ReadonlyMap<string, string>;
  /** The service responds 404: the contact is `gone`, or was never found and the list creates nobody (`nobody`). */
  readonly absence?: 'gone' | 'nobody' | undefined;
}

/** The hashes of a contact's identifiers. */
export type Hashed = Pick<Entry, 'email' | 'userId'>;

export class Hashes {
  constructor(readonly salt: string) {}

  value(field: string, value: Value): string {
    return this.#hash(`value ${field}`, JSON.stringify(value), VALUE_LENGTH);
  }

  identityOf({ email, userId }: Identity): Hashed {
    return {
      email: email === undefined ? undefined : this.#hash('email', sameEmail(email), IDENTIFIER_LENGTH),
      userId: userId === undefined ? undefined : this.#hash('userId', userId, IDENTIFIER_LENGTH),
    };
  }

  #hash(kind: string, text: string, length: number): string {
    // A mark must not be the beginning of a hash.
    return hash('sha256', `${this.salt}\n${kind}\n${text}`, 'base64').replaceAll('+', '_').slice(0, length);
  }
}

/** The entry with `?` for these values. */
export function unsure(entry: Entry, names: readonly string[]): Entry {
  return { ...entry, values: new Map([...entry.values, ...names.map((name) => [name, UNCLEAR] as const)]) };
}

/** The identifiers that are known. */
export function idsOf({ email, userId }: Hashed): string[] {
  return [email, userId].flatMap((id) => (id === undefined || id === UNCLEAR ? [] : id));
}

export interface Before {
  readonly hashes: Hashes;
  readonly entries: readonly Entry[];
}

/** Whether the next run writes something of an entry though no declaration changed. */
export function isUnclear({ email, values, absence }: Entry): boolean {
  return absence === undefined && [email, ...values.values()].includes(UNCLEAR);
}

export function formatEntries(entries: readonly Entry[]): Pick<Outputs, 'version' | 'fields' | 'entries'> {
  const fields = [...new Set(entries.flatMap(({ values }) => [...values.keys()]))].sort();
  const lines = entries.map(
    ({ email = NONE, userId = NONE, values, absence }) =>
      `${email} ${userId} ${fields.map((field) => values.get(field) ?? NOT_DECLARED).join('')}${absence === undefined ? '' : ` ${absence}`}`,
  );
  return { version: VERSION, fields, entries: lines.join('\n') };
}

/** Reads a state. @throws ResourceError where it has another format. */
export function readOutputs(raw: Raw): Outputs {
  const read = outputsSchema.safeParse(raw);
  if (!read.success) throw new ResourceError(problem('state.version', { version: VERSION }));
  return read.data;
}

/** What a diff compares: the content of the list, and whether it has an event. */
export function writtenOf(fingerprint: string, { createWithEvent }: Inputs): string {
  return createWithEvent === undefined ? fingerprint : `${fingerprint}, with an event`;
}

/** Whether a state knows somebody: *nobody* is no knowledge. */
export function knowsOf({ hashes, entries }: Before): Knows {
  const known = entries.filter(({ absence }) => absence !== 'nobody');
  const ids = new Set(known.flatMap(idsOf));
  return (identity) => idsOf(hashes.identityOf(identity)).some((id) => ids.has(id));
}

/** Parses the entries of a state. */
export function beforeOf({ salt, fields, entries }: Outputs): Before {
  const lines = entries === '' ? [] : entries.split('\n');
  return { hashes: new Hashes(salt), entries: lines.map((line) => parseEntry(line, fields)) };
}

function parseEntry(line: string, fields: readonly string[]): Entry {
  const [email, userId, hashes = '', absence] = line.split(' ');
  const values = new Map<string, string>();
  for (const [index, part] of (hashes.match(MARK_OR_HASH) ?? []).entries())
    if (part !== NOT_DECLARED) values.set(fields[index] ?? '', part);
  const given = (part?: string): string | undefined => (part === NONE ? undefined : part);
  const isAbsent = absence === 'gone' || absence === 'nobody';
  return { email: given(email), userId: given(userId), values, ...(isAbsent && { absence }) };
}

/**
 * The entries after a run. A kept entry goes where another one has an identifier of it. Who is gone stays, without
 * values: put back, the row creates nobody.
 */
export function settled(written: readonly Entry[], kept: readonly Entry[], before: Before): Entry[] {
  const gone = before.entries.filter(({ absence }) => absence === 'gone');
  const left = gone.map((entry) => ({ ...entry, values: new Map<string, string>() }));
  const taken = new Set<string>();
  return [...written, ...kept, ...left].filter((entry) => {
    const ids = idsOf(entry);
    if (ids.some((id) => taken.has(id))) return false;
    for (const id of ids) taken.add(id);
    return true;
  });
}
