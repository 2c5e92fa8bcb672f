import { open, rename, rm, writeFile } from 'node:fs/promises';
import { isRecord } from '../is-record.js';

/** First line of a file that this command may replace. */
export const FIRST_LINE =
  "// Written by 'audience-core schema', which replaces this file: keep own code elsewhere.";

/** @throws Error for a file that this command did not write. */
export async function checkReplaceable(path: string): Promise<void> {
  const beginning = await beginningOf(path, `${FIRST_LINE}\n`.length);
  if (beginning === undefined || beginning.trimEnd() === FIRST_LINE) return;
  throw new Error(`'${path}' was not written by this command. Remove it, or give another name with --out.`);
}

/** Replaces a file as a whole: the text is written to another file first. @throws Error if it cannot be written. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const aside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(aside, text, { flag: 'wx' });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw new Error(`'${path}' could not be written: ${reasonOf(error)}`, { cause: error });
  }
}

/** The beginning of a file; `undefined` where there is none. A device may never end. */
async function beginningOf(path: string, length: number): Promise<string | undefined> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return undefined;
    throw new Error(`'${path}' could not be read: ${reasonOf(error)}`, { cause: error });
  }
}

/** What an error says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
