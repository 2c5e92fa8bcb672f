import { createHash } from 'node:crypto';
import { counted } from '../../messages/index.js';
import { keysOf, type Identity } from '../contact-record/identity.js';
import type { Values } from '../contact-record/values.js';
import type { Lot, Resource } from '../declarations.js';
import { locationOf, type Unit } from '../../contact-file/rows.js';
import type { ListRow } from '../../contact-file/tally.js';

/** What a row says of its contact. */
export interface RowContent extends Pick<ListRow, 'number' | 'email' | 'userId' | 'values' | 'emptied'> {
  /** Whether the row is invalid, and says "no mail": that is its only value, and the entry's other values stay. */
  readonly isBad: boolean;
}

/** One declared contact of a list. */
export interface DeclaredRow extends RowContent {
  readonly resource: Resource;
  readonly location: string;
}

/** Each row is a line of JSON in a buffer of this size. */
const BUFFER_BYTES = 16_384;
/** Email, userId, values, emptied fields, and whether the row is bad. */
type Line = readonly [string | null, string | null, Values, readonly string[], true?];
const unpack: (line: string) => Line = JSON.parse;

/** The rows of one `Contacts`, as bytes and found by hashes: objects would take five times the memory. */
export class DeclaredRows implements Iterable<DeclaredRow>, Lot {
  readonly #numbers: number[] = [];
  readonly #positions: number[] = [];
  readonly #buffers: Buffer[] = [];
  #end = 0;
  /** The index of each key's row, by the hash of the key or the next free number: keys would take more memory. */
  readonly #byHash = new Map<number, number>();
  /** Indexes of written rows, by the service's id of their contacts. */
  readonly #byId = new Map<string, number[]>();

  /** Properties whose types the service could not tell: their texts may mean numbers or dates. */
  readonly untyped: string[] = [];

  unit: Unit = 'contacts';

  /** Rows that are left out: their entries stay. One without a readable identifier leaves all entries. */
  readonly skipped: Identity[] = [];

  /** What was read of a file, what was left out, and why. */
  notes: readonly string[] = [];

  /** Whether the file ends in a line end; `undefined` for arrays. */
  endsInLineEnd: boolean | undefined;

  /**
   * @param isOptOutList whether the program says "no mail" of the whole list: these opt-outs do not count for
   *   `maxRemovals`.
   */
  constructor(
    readonly resource: Resource,
    readonly isOptOutList: boolean,
  ) {}

  get length(): number {
    return this.#numbers.length;
  }

  /** The declaration that a row makes in this list. */
  of(row: RowContent): DeclaredRow {
    const { number, email, userId, values, emptied, isBad } = row;
    const { resource, unit } = this;
    const location = locationOf(unit, number);
    return { number, email, userId, values, emptied, isBad, resource, location };
  }

  /** Adds a row, or replaces the one at `index`. */
  set(row: RowContent, keys: readonly string[], index = this.length): void {
    const { number, email = null, userId = null, values, emptied, isBad } = row;
    const content = [email, userId, values, emptied] as const;
    const line: Line = isBad ? [...content, true] : content;
    const text = `${JSON.stringify(line)}\n`;
    const bytes = Buffer.byteLength(text);
    if (this.#end + bytes > (this.#buffers.at(-1)?.length ?? 0)) {
      this.#buffers.push(Buffer.alloc(Math.max(bytes, BUFFER_BYTES)));
      this.#end = 0;
    }
    const buffer = this.#buffers.length - 1;
    this.#buffers[buffer]?.write(text, this.#end);
    this.#positions[index] = buffer * BUFFER_BYTES + this.#end;
    this.#numbers[index] = number;
    this.#end += bytes;
    for (const key of keys) this.#byHash.set(this.#slotOf(key), index);
  }

  at(index: number): DeclaredRow | undefined {
    const number = this.#numbers[index];
    if (number === undefined) return undefined;
    const [email, userId, values, emptied, isBad = false] = this.#lineAt(index);
    return this.of({
      number,
      email: email ?? undefined,
      userId: userId ?? undefined,
      values,
      emptied,
      isBad,
    });
  }

  #lineAt(index: number): Line {
    const position = this.#positions[index] ?? 0;
    const start = position % BUFFER_BYTES;
    const buffer = this.#buffers[(position - start) / BUFFER_BYTES];
    return unpack(buffer?.toString('utf8', start, buffer.indexOf('\n', start)) ?? '');
  }

  /** Notes that a written row is the contact with this key of `keysOf({ id })`. */
  noteId(key: string, index: number): void {
    this.#byId.set(key, [...(this.#byId.get(key) ?? []), index]);
  }

  /** The indexes of the rows with one of these keys, which {@link keysOf} makes. */
  indexesOf(keys: readonly string[]): readonly number[] {
    return [...new Set(keys.flatMap((key) => this.#byHash.get(this.#slotOf(key)) ?? []))];
  }

  find(key: string): DeclaredRow[] {
    const indexes = this.#byId.get(key) ?? this.indexesOf([key]);
    return indexes.flatMap((index) => this.at(index) ?? []);
  }

  /** The number that a key has, or would get. */
  #slotOf(key: string): number {
    for (let slot = hashOf(key); ; slot += 1) {
      const index = this.#byHash.get(slot);
      if (index === undefined) return slot;
      const [email, userId] = this.#lineAt(index);
      if (keysOf({ email, userId }).includes(key)) return slot;
    }
  }

  *[Symbol.iterator](): Generator<DeclaredRow, void> {
    for (let index = 0; index < this.length; index += 1) {
      const row = this.at(index);
      if (row !== undefined) yield row;
    }
  }

  /** Number and hash of the rows, which a diff compares. */
  get fingerprint(): string {
    const hash = createHash('sha256');
    for (const buffer of this.#buffers) hash.update(buffer);
    return `${counted(this.length, 'contact')}, ${hash.digest('hex').slice(0, 16)}`;
  }
}

/** FNV-1a, mixed at the end. */
function hashOf(key: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  return hash ^ (hash >>> 13);
}
