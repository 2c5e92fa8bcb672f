import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isRecord } from '../is-record.js';

/** First line of a file that this command may replace. */
export const FIRST_LINE =
  "// Written by 'audience-core schema', which replaces this file: keep own code elsewhere.";

/** @throws Error for a file that this command did not write. */
export async function checkReplaceable(path: string): Promise<void> {
  const old = await textOf(path);
  if (old === undefined || old.split(/\r?\n/)[0] === FIRST_LINE) return;
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

/** The text of a file; `undefined` where there is none. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return undefined;
    throw new Error(`'${path}' could not be read: ${reasonOf(error)}`, { cause: error });
  }
}

/** What an error says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
