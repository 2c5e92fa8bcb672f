import type * as SqliteModule from 'node:sqlite';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import * as z from 'zod';
import type { Journal, StoredRecord } from './journal.js';

/** Marks an SQLite file as one of a sandbox ("AUDI"), and tells the form of what is in it. */
const APPLICATION_ID = 0x41554449;
const FORM = 1;

const rowSchema = z.object({ json: z.string() });

/** A data file that cannot be used; the message says which and why. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
}

/**
 * Keeps records in an SQLite file. All that is written in one turn of the event loop goes into one transaction,
 * and {@link written} settles when that is on disk: callers answer after it, so that no answered write is lost.
 *
 * @throws DataFileError when the file is used by another sandbox, is something else, or cannot be written, or
 * when this Node has no SQLite.
 */
export function openSqliteJournal(file: string): Journal {
  const sqlite = sqliteModule();
  if (sqlite === undefined) {
    throw new DataFileError(
      `Keeping data in a file needs Node 22.13 or newer; this is Node ${process.versions.node}.`,
    );
  }
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(file);
    prepareFile(database, file);
    return new SqliteJournal(database);
  } catch (error) {
    database?.close();
    if (error instanceof DataFileError) throw error;
    throw new DataFileError(reasonFor(file, error));
  }
}

/** Asked for only when a file is wanted, as older Nodes have no SQLite, or not even a way to ask. */
function sqliteModule(): typeof SqliteModule | undefined {
  return 'getBuiltinModule' in process ? process.getBuiltinModule('node:sqlite') : undefined;
}

function prepareFile(database: DatabaseSync, file: string): void {
  // Held for as long as the sandbox runs: two of them would overwrite each other's records.
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  const tables = z
    .object({ count: z.number() })
    .parse(database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()).count;
  const { application_id: owner } = z
    .object({ application_id: z.number() })
    .parse(database.prepare('PRAGMA application_id').get());
  const { user_version: form } = z
    .object({ user_version: z.number() })
    .parse(database.prepare('PRAGMA user_version').get());
  if (tables > 0 && owner !== APPLICATION_ID) {
    throw new DataFileError(`${file} is a database of something else; name another file.`);
  }
  if (tables > 0 && form !== FORM) {
    throw new DataFileError(`${file} was written by another version of the sandbox; name another file.`);
  }
  database.exec(`
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${FORM};
    CREATE TABLE IF NOT EXISTS records (
      place INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      json TEXT NOT NULL,
      UNIQUE (kind, id)
    )`);
}

function reasonFor(file: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (reason.includes('locked'))
    return `${file} is in use by another sandbox; end that one, or name another file.`;
  if (reason.includes('not a database')) return `${file} is no data file of a sandbox; name another file.`;
  return `The data file ${file} cannot be used: ${reason}.`;
}

class SqliteJournal implements Journal {
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #clear: StatementSync;
  readonly #load: StatementSync;
  #batch: Promise<void> | undefined;

  constructor(private readonly database: DatabaseSync) {
    this.#put = database.prepare(
      'INSERT INTO records (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json',
    );
    this.#delete = database.prepare('DELETE FROM records WHERE kind = ? AND id = ?');
    this.#clear = database.prepare('DELETE FROM records WHERE kind = ?');
    this.#load = database.prepare('SELECT json FROM records WHERE kind = ? ORDER BY place');
  }

  *load(kind: string): Iterable<unknown> {
    for (const row of this.#load.iterate(kind)) yield JSON.parse(rowSchema.parse(row).json);
  }

  put(kind: string, record: StoredRecord): void {
    this.#begin();
    this.#put.run(kind, record.id, JSON.stringify(record));
  }

  delete(kind: string, id: string): void {
    this.#begin();
    this.#delete.run(kind, id);
  }

  clear(kind: string): void {
    this.#begin();
    this.#clear.run(kind);
  }

  written(): Promise<void> | undefined {
    return this.#batch;
  }

  close(): void {
    if (this.#batch !== undefined) this.#commit();
    this.database.close();
  }

  #begin(): void {
    if (this.#batch !== undefined) return;
    this.database.exec('BEGIN');
    this.#batch = new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          if (this.#batch !== undefined) this.#commit();
          resolve();
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    // Whoever answers after the batch hears of a failure; without any, it must not end the process.
    this.#batch.catch(() => undefined);
  }

  #commit(): void {
    this.#batch = undefined;
    this.database.exec('COMMIT');
  }
}
