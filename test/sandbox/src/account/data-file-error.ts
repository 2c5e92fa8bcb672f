import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import type { Problem } from '../messages.js';
import { reasonOf } from '../reason.js';
import { SandboxError } from '../sandbox-error.js';

/** A data file that cannot be used; the message says which, why, and the way out. */
export class DataFileError extends SandboxError {
  /** @param status for a call that could not be written: 507 when there is no space, else 503. */
  constructor(problem: Problem, status: 503 | 507 = 503) {
    super(problem, status);
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
  return new DataFileError({ code: 'data_file_damaged', file, reason: reasonOf(error) });
}

/** The error for a file that cannot be opened or read. */
export function openingError(file: string, error: unknown): DataFileError {
  if (error instanceof DataFileError) return error;
  if (isKind(error, 'locked')) return new DataFileError({ code: 'data_file_in_use', file });
  if (isKind(error, 'unopened') && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    return new DataFileError({ code: 'data_file_is_folder', file });
  if (isKind(error, 'unopened') && statSync(dirname(file), { throwIfNoEntry: false }) === undefined)
    return new DataFileError({ code: 'data_file_without_folder', folder: dirname(file) });
  if (isKind(error, 'foreign')) return new DataFileError({ code: 'data_file_foreign', file });
  if (isKind(error, 'full')) return new DataFileError({ code: 'data_file_disk_full', file });
  return isKind(error, 'damaged')
    ? damaged(file, error)
    : new DataFileError({ code: 'data_file_unusable', file, reason: reasonOf(error) });
}

export function writingError(file: string, error: unknown): DataFileError {
  if (isKind(error, 'damaged')) return damaged(file, error);
  return isKind(error, 'full')
    ? new DataFileError({ code: 'data_file_disk_filled', file }, 507)
    : new DataFileError({ code: 'data_file_not_written', file, reason: reasonOf(error) });
}
