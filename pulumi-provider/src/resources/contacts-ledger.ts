import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from 'audience-core';
import type { Raw } from './host.js';
import { toWire } from './wire.js';

/** What is known of one contact that was brought to the service: hashes, and which columns it declared. */
export interface LedgerEntry {
  readonly content: string;
  readonly columns: ReadonlySet<string>;
}

/** What state keeps of all contacts: some 25 bytes each, and nothing that names a person. */
export interface StoredLedger {
  /** Key of the hashes, so that equal contacts of two stacks do not look alike. */
  readonly salt: string;
  readonly columns: readonly string[];
  readonly records: string;
}

/** Length of a hash in state: 11 characters of base64url are 64 bits. */
const HASH_LENGTH = 11;

/** Which contacts are in the service as they were declared: by hash of the identifier, a hash of the content. */
export class Ledger {
  private readonly entries = new Map<string, LedgerEntry>();
  /** One set for all contacts that declare the same columns. */
  private readonly columnSets = new Map<string, ReadonlySet<string>>();

  constructor(private readonly salt: string = randomBytes(12).toString('base64url')) {}

  static read(stored: StoredLedger): Ledger {
    const ledger = new Ledger(stored.salt);
    for (const text of stored.records.split(' ')) {
      if (text === '') continue;
      const bits = BigInt(`0x${text.slice(2 * HASH_LENGTH)}`);
      ledger.entries.set(text.slice(0, HASH_LENGTH), {
        content: text.slice(HASH_LENGTH, 2 * HASH_LENGTH),
        columns: ledger.shared(stored.columns.filter((_, index) => (bits >> BigInt(index)) & 1n)),
      });
    }
    return ledger;
  }

  /** Whether the contact was brought with just these fields. */
  holds(fields: Raw): boolean {
    return this.get(this.keyOf(fields))?.content === this.entryOf(fields).content;
  }

  keys(): string[] {
    return [...this.entries.keys()];
  }

  get(key: string): LedgerEntry | undefined {
    return this.entries.get(key);
  }

  set(key: string, entry: LedgerEntry): void {
    this.entries.set(key, entry);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  /** Key of a contact: by its userId, which stays when the email changes, else by its email. */
  keyOf({ email, userId }: Raw): string {
    return this.hash(
      typeof userId === 'string' ? `userId ${userId}` : `email ${String(email).toLowerCase()}`,
    );
  }

  entryOf(fields: Raw): LedgerEntry {
    return { content: this.hash(canonicalJson(toWire(fields))), columns: this.shared(columnsOf(fields)) };
  }

  store(): StoredLedger {
    const columns = [...new Set([...this.entries.values()].flatMap((entry) => [...entry.columns]))].sort();
    const bitOf = new Map(columns.map((column, index) => [column, 1n << BigInt(index)]));
    const records = [...this.entries].map(([key, entry]) => {
      const bits = [...entry.columns].reduce((sum, column) => sum | (bitOf.get(column) ?? 0n), 0n);
      return key + entry.content + bits.toString(16);
    });
    return { salt: this.salt, columns, records: records.join(' ') };
  }

  private shared(columns: readonly string[]): ReadonlySet<string> {
    const name = columns.join('\n');
    const set = this.columnSets.get(name) ?? new Set(columns);
    this.columnSets.set(name, set);
    return set;
  }

  private hash(text: string): string {
    return createHmac('sha256', this.salt).update(text).digest('base64url').slice(0, HASH_LENGTH);
  }
}

/** Fields that a record declares and that can be cleared: `firstName`, `properties.plan`. */
function columnsOf(fields: Raw): string[] {
  const properties = fields['properties'];
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const texts = ['firstName', 'lastName', 'source'].filter((name) => fields[name] !== undefined);
  return [...texts, ...names.map((name) => `properties.${name}`)];
}
