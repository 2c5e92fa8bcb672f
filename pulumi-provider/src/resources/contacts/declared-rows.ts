import { createHash } from 'node:crypto';
import { counted } from 'audience-core/internal';
import type { ListRow } from '../../contact-file/read.js';
import type { Identity } from '../contact-record/identity.js';
import type { Resource } from '../declarations.js';

/** One declared contact of a list. */
export interface DeclaredRow extends Pick<ListRow, 'number' | 'email' | 'userId' | 'values'> {
  readonly resource: Resource;
  readonly location: string;
}

/** What a list declares, and what was read for it. */
interface Content {
  readonly rows: readonly DeclaredRow[];
  /** Rows that `consent` leaves out: their entries stay. */
  readonly skipped: readonly Identity[];
  /** Properties whose types the service could not tell: their texts may mean numbers or dates. */
  readonly untyped: readonly string[];
  /** What was read of a file, and what was left out. */
  readonly notes: readonly string[];
}

/** The rows of one `Contacts`. */
export class DeclaredRows implements Iterable<DeclaredRow> {
  readonly #rows: readonly DeclaredRow[];
  readonly skipped: readonly Identity[];
  readonly untyped: readonly string[];
  readonly notes: readonly string[];

  /** @param isOptOutList whether the program says "no mail" of the whole list: these opt-outs are no removals. */
  constructor(
    readonly resource: Resource,
    readonly isOptOutList: boolean,
    { rows, skipped, untyped, notes }: Content,
  ) {
    this.#rows = rows;
    this.skipped = skipped;
    this.untyped = untyped;
    this.notes = notes;
  }

  get length(): number {
    return this.#rows.length;
  }

  at(index: number): DeclaredRow | undefined {
    return this.#rows[index];
  }

  [Symbol.iterator](): Iterator<DeclaredRow> {
    return this.#rows.values();
  }

  /** Number and hash of the rows, which a diff compares. */
  get fingerprint(): string {
    const hash = createHash('sha256');
    for (const { email, userId, values } of this.#rows)
      hash.update(`${JSON.stringify([email, userId, values])}\n`);
    return `${counted(this.length, 'contact')}, ${hash.digest('hex').slice(0, 16)}`;
  }
}
