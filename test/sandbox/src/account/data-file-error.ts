import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { reasonOf } from '../reason.js';
import { SandboxError } from '../sandbox-error.js';

/** A data file that cannot be used; the message says which, why, and the way out. */
export class DataFileError extends SandboxError {
  /** @param status for a call that could not be written: 507 when there is no space, else 503. */
  constructor(message: string, status: 503 | 507 = 503) {
    super(message, status);
  }
}

/** What SQLite tells of an error; the lower byte of `errcode` is the kind. */
const sqliteErrorSchema = z.object({ errcode: z.int(), message: z.string() });

/** Kinds of SQLite's errors that have messages of their own (https://sqlite.org/rescode.html). */
const KIND = { locked: [5, 6], unopened: [14], full: [13], damaged: [11], foreign: [26] } as const;

function isKind(error: unknown, kind: keyof typeof KIND): boolean {
  const code = (sqliteErrorSchema.safeParse(error).data?.errcode ?? 0) & 0xff;
  return KIND[kind].some((known) => known === code);
}

/** The error for a file that is not as the sandbox wrote it. */
export function damaged(file: string, error: unknown): DataFileError {
  return new DataFileError(
    `The data file ${file} is damaged (${reasonOf(error)}). Restore a backup, choose another file with --data, or recover its data with 'sqlite3 ${file} .recover'.`,
  );
}

/** The error for a file that cannot be opened or read. */
export function openingError(file: string, error: unknown): DataFileError {
  if (error instanceof DataFileError) return error;
  if (isKind(error, 'locked'))
    return new DataFileError(
      `${file} is in use by another sandbox. Stop that sandbox, or choose another file.`,
    );
  if (isKind(error, 'unopened') && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    return new DataFileError(`${file} is a folder, not a data file. Name a file in it.`);
  if (isKind(error, 'unopened') && statSync(dirname(file), { throwIfNoEntry: false }) === undefined)
    return new DataFileError(
      `There is no folder ${dirname(file)} for the data file. Create it, or name another file.`,
    );
  if (isKind(error, 'foreign'))
    return new DataFileError(`${file} is not a data file of the sandbox. Choose another file.`);
  if (isKind(error, 'full'))
    return new DataFileError(
      `The data file ${file} cannot be used: its disk is full. Free some space, or name another file.`,
    );
  return isKind(error, 'damaged')
    ? damaged(file, error)
    : new DataFileError(`The data file ${file} cannot be used: ${reasonOf(error)}.`);
}

export function writingError(file: string, error: unknown): DataFileError {
  if (isKind(error, 'damaged')) return damaged(file, error);
  const full = isKind(error, 'full');
  return new DataFileError(
    `The data file ${file} could not be written (${full ? 'its disk is full' : reasonOf(error)}), so nothing of this call was kept. ${full ? 'Free some space' : 'Check its disk'}, then send it again.`,
    full ? 507 : 503,
  );
}
