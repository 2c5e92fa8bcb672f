import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import { columnsOf, fieldOfColumn, isClearable, valueOfColumn } from '../contact/columns.js';
import { IDENTIFIERS, onWire } from '../contact/fields.js';
import { textOf } from '../raw.js';
import type { Raw } from '../raw.js';
import { isGiven, keysOf } from '../people.js';
import type { Identity } from '../people.js';

/**
 * The ledger is what state keeps of `Contacts`: for each contact that was upserted, hashes of its identifiers, of
 * its content and of its fields. So a later run knows who is new, changed or leaving, and which fields changed, while
 * nothing in state names a person, unless a removal has to address them.
 */
export interface LedgerEntry {
  /** What is known of whom it is about: what was upserted last, and where the service told it, its id. */
  identity: Identity;
  /** Hashes of email and userId, as far as they are declared: either one finds the person. */
  readonly keys: readonly string[];
  /** Hash of all that is declared; or a word for a service that differs from it, or has nobody. */
  readonly content: string;
  /** What is declared beside the identifiers, by column, with a short hash of the value. */
  readonly columns: ReadonlyMap<string, string>;
}

/** The ledger as state holds it: some 40 bytes per contact. */
export interface StoredLedger {
  /** Key of the hashes, so that equal contacts of two stacks do not look alike. */
  readonly salt: string;
  readonly columns: string[];
  readonly records: string;
  /** Id, email and userId by the first key, empty where there is none. */
  readonly identities?: Readonly<Record<string, string[]>> | undefined;
}

/** Length of a hash in state: 11 characters of base64url are 64 bits. */
export const HASH_LENGTH = 11;
/** Length of the hash of one field, which says whether it changed: 24 bits. */
const FIELD_LENGTH = 4;
const UNKNOWN_CONTENT = '-'.repeat(HASH_LENGTH);
/** That of what is known by its columns, and is not as a whole what was upserted. */
const CHANGED_CONTENT = '~'.repeat(HASH_LENGTH);
const GONE_CONTENT = '_'.repeat(HASH_LENGTH);

/** Whether a refresh did not find the contact in the service any more: it is new to the next run. */
export function isGone({ content }: LedgerEntry): boolean {
  return content === GONE_CONTENT;
}

/** What a run does with the fields of a record, by column. */
export interface ColumnChanges {
  readonly written: readonly string[];
  readonly cleared: readonly string[];
  /** Whether all that is declared is written, as it is not known what differs. */
  readonly isAll: boolean;
}

/** Who was upserted, and with what. */
export class Ledger {
  private readonly entries = new Set<LedgerEntry>();
  private readonly byKey = new Map<string, LedgerEntry>();

  constructor(readonly salt: string = randomBytes(12).toString('base64url')) {}

  static read(stored: StoredLedger): Ledger {
    const ledger = new Ledger(stored.salt);
    for (const text of stored.records.split(' ')) {
      if (text !== '') ledger.add(entryFrom(text, stored));
    }
    return ledger;
  }

  all(): readonly LedgerEntry[] {
    return [...this.entries];
  }

  /** Hashes of the identifiers that a record declares. */
  keysOf({ email, userId }: Raw): string[] {
    const identity = { email: textOf(email), userId: textOf(userId) };
    return keysOf(identity).map((key) => this.hash(key));
  }

  /** Entries of the same person: either identifier is enough, but who has another userId is somebody else. */
  find(fields: Raw): LedgerEntry[] {
    return this.matching(this.keysOf(fields), this.keysOf({ userId: fields['userId'] })[0]);
  }

  /** Whether the person of an entry of another copy of the list is in it: hashes of one list are comparable. */
  knows({ keys, identity }: LedgerEntry): boolean {
    const isAnother = ({ identity: { id } }: LedgerEntry): boolean =>
      isGiven(id) && isGiven(identity.id) && id !== identity.id;
    return this.matching(keys, keys[1]).some((entry) => !isAnother(entry));
  }

  /** Whether the contact was upserted with just these fields. */
  holds(fields: Raw): boolean {
    const [entry, ...others] = this.find(fields);
    return others.length === 0 && entry?.content === this.contentOf(fields);
  }

  /** What is written for a record: what is declared otherwise than before, as others may have changed the rest. */
  changes(fields: Raw, entries: readonly LedgerEntry[]): ColumnChanges {
    const names = columnsOf(fields);
    const before = new Map(entries.flatMap((entry) => [...entry.columns]));
    const isAll = entries.some(({ content }) => content === UNKNOWN_CONTENT) || entries.length !== 1;
    return {
      written: isAll ? names : names.filter((name) => before.get(name) !== this.hashOfColumn(fields, name)),
      cleared: [...before.keys()].filter((name) => isClearable(name) && !names.includes(name)),
      isAll,
    };
  }

  /** Notes that the contact has these fields. Somebody else who had its address before is known by userId only. */
  set(fields: Raw, id?: string): LedgerEntry {
    const known = this.find(fields);
    for (const entry of known) this.delete(entry);
    const entry = this.entryOf(fields);
    entry.identity = {
      ...entry.identity,
      id: id ?? known.find((one) => !isGone(one) && isGiven(one.identity.id))?.identity.id,
    };
    for (const key of entry.keys) {
      const other = this.byKey.get(key);
      if (other === undefined) continue;
      this.delete(other);
      const { id: otherId, userId } = other.identity;
      this.add({
        ...other,
        keys: other.keys.filter((one) => one !== key),
        identity: { id: otherId, userId },
      });
    }
    this.add(entry);
    return entry;
  }

  /** Notes the addresses behind the hashes, and the id, of a contact that was upserted when none were kept. */
  identify(fields: Raw, id?: string): void {
    const entries = this.find(fields);
    for (const entry of entries) entry.identity = { ...entry.identity, id: entry.identity.id ?? id };
    for (const name of IDENTIFIERS) {
      const value = textOf(fields[name]);
      for (const entry of entries) {
        if (this.keysOf({ [name]: value }).some((key) => entry.keys.includes(key)))
          entry.identity = { ...entry.identity, [name]: value };
      }
    }
  }

  /** Notes that the service is not as declared: the person stays known, and is upserted again. */
  forgetContent(fields: Raw): void {
    this.setContent(fields, UNKNOWN_CONTENT);
  }

  /** Notes that the service no longer has these fields as declared: they are written again. */
  forgetColumns(fields: Raw, names: readonly string[]): void {
    if (names.length === 0) return;
    for (const entry of this.find(fields)) {
      if (isGone(entry)) continue;
      this.delete(entry);
      const columns = [...entry.columns].filter(([column]) => !names.includes(fieldOfColumn(column)));
      this.add({ ...entry, content: CHANGED_CONTENT, columns: new Map(columns) });
    }
  }

  /** The same of all fields of everybody who is this contact of the service. */
  forgetContentOf(id: string): void {
    for (const entry of this.all().filter(({ identity }) => identity.id === id)) {
      this.delete(entry);
      this.add({ ...entry, content: UNKNOWN_CONTENT });
    }
  }

  /** Notes that these fields may have been written, and may not: whichever is declared then is written again. */
  doubt(fields: Raw): void {
    for (const entry of this.find(fields)) {
      if (isGone(entry)) continue;
      this.delete(entry);
      const columns = new Map([...this.entryOf(fields).columns, ...entry.columns]);
      this.add({ ...entry, content: UNKNOWN_CONTENT, columns });
    }
  }

  /** Key of a record's email, where somebody else than the known was upserted with it. */
  addressOfAnother({ email }: Raw, known: readonly LedgerEntry[]): string | undefined {
    return this.keysOf({ email }).find((key) => {
      const holder = this.byKey.get(key);
      return holder !== undefined && !known.includes(holder);
    });
  }

  /** Notes that the service has nobody by these identifiers: a removal still knows of the person. */
  markGone(fields: Raw): void {
    this.setContent(fields, GONE_CONTENT);
  }

  delete(entry: LedgerEntry): void {
    this.entries.delete(entry);
    for (const key of entry.keys) if (this.byKey.get(key) === entry) this.byKey.delete(key);
  }

  entryOf(fields: Raw): LedgerEntry {
    const columns = columnsOf(fields).map((name): [string, string] => [
      name,
      this.hashOfColumn(fields, name),
    ]);
    const identity = { email: textOf(fields['email']), userId: textOf(fields['userId']) };
    return {
      keys: this.keysOf(fields),
      content: this.contentOf(fields),
      columns: new Map(columns),
      identity,
    };
  }

  store(): StoredLedger {
    const columns = [...new Set(this.all().flatMap((entry) => [...entry.columns.keys()]))].sort();
    const bitOf = new Map(columns.map((column, index) => [column, 1n << BigInt(index)]));
    const records = this.all().map(({ keys, content, columns: own }) => {
      const bits = [...own.keys()].reduce((sum, column) => sum | (bitOf.get(column) ?? 0n), 0n);
      const hashes = columns.flatMap((column) => own.get(column) ?? []).join('');
      return [keys.join(''), content, bits.toString(16), hashes].join('.');
    });
    return { salt: this.salt, columns, records: records.join(' ') };
  }

  /** Whom the entries are about, as state keeps it. */
  identities(): Record<string, string[]> {
    return Object.fromEntries(
      this.all()
        .filter(({ identity: { email, userId } }) => isGiven(email) || isGiven(userId))
        .map(({ keys, identity: { id, email, userId } }): [string, string[]] => [
          keys[0] ?? '',
          [id ?? '', email ?? '', userId ?? ''],
        ]),
    );
  }

  private matching(keys: readonly string[], byUserId: string | undefined): LedgerEntry[] {
    const isOther = (entry: LedgerEntry): boolean =>
      byUserId !== undefined && entry.keys.length > 1 && !entry.keys.includes(byUserId);
    const found = new Set(keys.flatMap((key) => this.byKey.get(key) ?? []));
    return [...found].filter((entry) => !isOther(entry));
  }

  private setContent(fields: Raw, content: string): void {
    for (const entry of this.find(fields)) {
      this.delete(entry);
      this.add({ ...entry, content });
    }
  }

  private add(entry: LedgerEntry): void {
    this.entries.add(entry);
    for (const key of entry.keys) this.byKey.set(key, entry);
  }

  private contentOf(fields: Raw): string {
    return this.hash(canonicalJson(onWire(fields)));
  }

  private hashOfColumn(fields: Raw, column: string): string {
    return this.hash(canonicalJson(onWire(valueOfColumn(fields, column)))).slice(0, FIELD_LENGTH);
  }

  private hash(text: string): string {
    return createHmac('sha256', this.salt).update(text).digest('base64url').slice(0, HASH_LENGTH);
  }
}

function entryFrom(text: string, { columns, identities }: StoredLedger): LedgerEntry {
  const [joined = '', content = '', bits = '0', hashes = ''] = text.split('.');
  const set = columns.filter((_, index) => (BigInt(`0x${bits}`) >> BigInt(index)) & 1n);
  const ofColumns = chunks(hashes, FIELD_LENGTH);
  const keys = chunks(joined, HASH_LENGTH);
  return {
    keys,
    content,
    identity: identityFrom(identities?.[keys[0] ?? '']),
    columns: new Map(set.map((column, index) => [column, ofColumns[index] ?? ''])),
  };
}

function identityFrom(kept: readonly string[] = []): Identity {
  const [id, email, userId] = kept.map((text) => (text === '' ? undefined : text));
  return { id, email, userId };
}

/** Cuts a text into pieces of one length. */
export function chunks(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}
