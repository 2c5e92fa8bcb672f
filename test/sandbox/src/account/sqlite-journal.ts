import { closeSync, openSync } from 'node:fs';
import type * as SqliteModule from 'node:sqlite';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { readWith } from 'audience-core/internal';
import * as z from 'zod/mini';
import { describeFaults } from '../read-as.js';
import { damaged, DataFileError, openingError, writingError } from './data-file-error.js';
import type { Journal, StoredRecord, Undo } from './journal.js';
import { realTime } from '../real-time.js';
import { reasonOf } from '../reason.js';

/** Marks an SQLite file as one of a sandbox ("AUDI"). */
const APPLICATION_ID = 0x41554449;
/** Version of what is stored. */
const FORM = 2;

const rowSchema = z.object({ json: z.string() });

/**
 * Keeps records in an SQLite file: what is written in one turn of the event loop is one transaction. What cannot be
 * written is undone in memory.
 *
 * @param warn called with a sentence when writing the file begins to fail, and when it works again
 * @throws DataFileError when the file cannot be used, or this Node has no SQLite
 */
export function openSqliteJournal(file: string, warn: (message: string) => void = () => undefined): Journal {
  const sqlite = sqliteModule();
  if (sqlite === undefined) {
    throw new DataFileError({ code: 'node_without_sqlite', version: process.versions.node });
  }
  let database: DatabaseSync | undefined;
  try {
    createForOwner(file);
    database = new sqlite.DatabaseSync(file);
    prepareFile(database, file);
    return new SqliteJournal(database, file, warn);
  } catch (error) {
    database?.close();
    throw openingError(file, error);
  }
}

/** Creates the file so that only its owner can read it; SQLite gives the files beside it the same permissions. */
function createForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // SQLite says better what is wrong.
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
  const { quick_check: found } = z
    .object({ quick_check: z.string() })
    .parse(database.prepare('PRAGMA quick_check(1)').get());
  if (found !== 'ok') throw damaged(file, found.split('\n').at(-1));
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
    throw new DataFileError({ code: 'data_file_of_other_program', file });
  }
  if (tables > 0 && form !== FORM) {
    throw new DataFileError({ code: 'data_file_of_other_version', file });
  }
  database.exec(`
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${FORM};
    CREATE TABLE IF NOT EXISTS records (
      position INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      json TEXT NOT NULL,
      UNIQUE (kind, id)
    )`);
}

interface Change {
  write(): void;
}

interface Put extends Change {
  record: StoredRecord;
}

class SqliteJournal implements Journal {
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #clear: StatementSync;
  readonly #load: StatementSync;
  #batch: Promise<void> | undefined;
  #changes: Change[] = [];
  #undo: Undo[] = [];
  /** The records that the batch puts, by kind and id. */
  readonly #puts = new Map<string, Map<string, Put>>();
  /** Why the last batch failed; until the next success. */
  #failing: DataFileError | undefined;
  /** Set when a batch could not even be undone: memory and file may differ. */
  #broken: DataFileError | undefined;

  constructor(
    private readonly database: DatabaseSync,
    private readonly file: string,
    private readonly warn: (message: string) => void,
  ) {
    this.#put = database.prepare(
      'INSERT INTO records (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json',
    );
    this.#delete = database.prepare('DELETE FROM records WHERE kind = ? AND id = ?');
    this.#clear = database.prepare('DELETE FROM records WHERE kind = ?');
    this.#load = database.prepare('SELECT json FROM records WHERE kind = ? ORDER BY position');
  }

  *load<T>(kind: string, schema: z.ZodMiniType<T>): Iterable<T> {
    try {
      for (const row of this.#load.iterate(kind)) yield this.#read(kind, schema, rowSchema.parse(row).json);
    } catch (error) {
      throw openingError(this.file, error);
    }
  }

  put(kind: string, record: StoredRecord, undo: Undo): void {
    const known = this.#puts.get(kind)?.get(record.id);
    // A record that changes several times within a batch, as counters do, is written once.
    if (known !== undefined) {
      known.record = record;
      this.#undo.push(undo);
      return;
    }
    const put = { record, write: () => void this.#put.run(kind, put.record.id, JSON.stringify(put.record)) };
    const puts = this.#puts.get(kind) ?? new Map<string, Put>();
    this.#puts.set(kind, puts.set(record.id, put));
    this.#add(put, undo);
  }

  delete(kind: string, id: string, undo: Undo): void {
    this.#puts.get(kind)?.delete(id);
    this.#add({ write: () => void this.#delete.run(kind, id) }, undo);
  }

  clear(kind: string, undo: Undo): void {
    this.#puts.delete(kind);
    this.#add({ write: () => void this.#clear.run(kind) }, undo);
  }

  written(): Promise<void> | undefined {
    return this.#broken === undefined ? this.#batch : Promise.reject(this.#broken);
  }

  close(): void {
    try {
      if (this.#batch !== undefined) this.#write();
    } finally {
      this.database.close();
    }
  }

  /** Adds a change to the batch. It never throws: the batch as a whole is written, or undone. */
  #add(change: Change, undo: Undo): void {
    this.#changes.push(change);
    this.#undo.push(undo);
    if (this.#batch !== undefined) return;
    this.#batch = new Promise((resolve, reject) => {
      realTime.setImmediate(() => {
        try {
          if (this.#batch !== undefined) this.#write();
          resolve();
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    // The response reports a failure. Without one, the failure must not end the process.
    this.#batch.catch(() => undefined);
  }

  /** Writes the batch. @throws DataFileError when it could not be written; it is then undone. */
  #write(): void {
    const changes = this.#changes;
    const undo = this.#undo;
    this.#changes = [];
    this.#undo = [];
    this.#puts.clear();
    this.#batch = undefined;
    try {
      this.database.exec('BEGIN');
      for (const change of changes) change.write();
      this.database.exec('COMMIT');
    } catch (failure) {
      const error = writingError(this.file, failure);
      this.#takeBack(undo);
      if (this.#failing?.message !== error.message) this.warn(error.message);
      this.#failing = error;
      throw error;
    }
    if (this.#failing !== undefined) this.warn(`The data file ${this.file} is writable again.`);
    this.#failing = undefined;
  }

  #takeBack(undo: readonly Undo[]): void {
    try {
      this.database.exec('ROLLBACK');
    } catch {
      // SQLite has already ended the transaction; if not, the next batch fails and is rolled back here.
    }
    try {
      // A collection that was read anew needs that only once.
      for (const step of new Set(undo.toReversed())) step();
    } catch (error) {
      this.#broken = openingError(this.file, error);
      this.warn(this.#broken.message);
    }
  }

  #read<T>(kind: string, schema: z.ZodMiniType<T>, json: string): T {
    const wrong = (reason: string) => damaged(this.file, `its ${kind} cannot be read: ${reason}`);
    let stored: unknown;
    try {
      stored = JSON.parse(json);
    } catch (error) {
      throw wrong(reasonOf(error));
    }
    const read = readWith(schema, stored);
    if (read.ok) return read.data;
    throw wrong(describeFaults(read.issues, 'it'));
  }
}
