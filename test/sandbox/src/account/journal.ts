import type * as z from 'zod/mini';

/** Anything that the account keeps: a plain object of JSON values, never changed once it is stored. */
export interface StoredRecord {
  readonly id: string;
}

/** Undoes a change in memory, when it could not be written. */
export type Undo = () => void;

/** Where an account's records are written so that they outlive the process. */
export interface Journal {
  /** All records of a kind, in the order in which they were first written. @throws DataFileError when one is not as the schema says */
  load<T>(kind: string, schema: z.ZodMiniType<T>): Iterable<T>;
  put(kind: string, record: StoredRecord, undo: Undo): void;
  delete(kind: string, id: string, undo: Undo): void;
  clear(kind: string, undo: Undo): void;
  /** Settles when all is on disk; rejects with a `DataFileError` when it was undone instead. `undefined`: already. */
  written(): Promise<void> | undefined;
  /** Writes the remaining changes and closes the file. */
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
