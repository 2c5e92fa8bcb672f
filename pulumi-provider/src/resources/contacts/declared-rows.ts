import { createHash } from 'node:crypto';
import { counted } from 'audience-core/internal';
import type { ListRow } from '../../contact-file/read.js';
import type { Identity } from '../contact-record/identity.js';
import type { Resource } from '../declarations.js';

/** One declared contact of a list: a row, or several of one contact. */
export interface DeclaredRow extends ListRow {
  readonly resource: Resource;
}

/** What one `Contacts` declares, and what was read for it. */
export interface DeclaredRows {
  readonly resource: Resource;
  readonly rows: readonly DeclaredRow[];
  /** Rows that `consent` leaves out: their entries stay. */
  readonly skipped: readonly Identity[];
  /** Properties whose types the service could not tell: their texts may mean numbers or dates. */
  readonly untyped: readonly string[];
  /** What was read of a file, and what was left out. */
  readonly notes: readonly string[];
}

/** Number and hash of the rows, which a diff compares. */
export function fingerprintOf({ rows }: DeclaredRows): string {
  const hash = createHash('sha256');
  for (const { email, userId, values } of rows) hash.update(`${JSON.stringify([email, userId, values])}\n`);
  return `${counted(rows.length, 'contact')}, ${hash.digest('hex').slice(0, 16)}`;
}
