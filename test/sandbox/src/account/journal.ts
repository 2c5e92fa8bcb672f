import type * as z from 'zod';

/** Anything that the account keeps: a plain object of JSON values, never changed once it is stored. */
export interface StoredRecord {
  readonly id: string;
}

/** Takes a change back in memory, when it could not be written. */
export type Undo = () => void;

/** Where an account's records are written so that they outlive the process. */
export interface Journal {
  /** All records of a kind, in the order in which they were first written. @throws DataFileError when one is not as the schema says */
  load<T>(kind: string, schema: z.ZodType<T>): Iterable<T>;
  /** Writes a record, in the place of the one of the same kind and id. */
  put(kind: string, record: StoredRecord, undo: Undo): void;
  /** Removes a record. */
  delete(kind: string, id: string, undo: Undo): void;
  /** Removes every record of a kind. */
  clear(kind: string, undo: Undo): void;
  /**
   * Settles when all that was written before is safe on disk; `undefined` when it is already. Rejects with a
   * `DataFileError` when it could not be written: then all of it was taken back, in memory too.
   */
  written(): Promise<void> | undefined;
  /** Writes what is left and lets the file go. */
  close(): void;
}

/** The journal of an account that lives in memory only. */
export const noJournal: Journal = {
  load: () => [],
  put: () => undefined,
  delete: () => undefined,
  clear: () => undefined,
  written: () => undefined,
  close: () => undefined,
};
