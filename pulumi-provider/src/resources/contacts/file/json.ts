import { isRecord, parseJsonText } from 'audience-core/internal';
import { ResourceError } from '../../errors.js';
import type { Raw } from '../../raw.js';

/** A row or a record as it is written. */
export interface SourceRow {
  /** Of its line, or of the record in an array. */
  readonly number: number;
  /** Headers or names, and the values at the same indexes. */
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly fault?: string | undefined;
}

/** Value of a field that `clear` lists. */
export const CLEARED: unique symbol = Symbol('cleared');

/** Reads JSON Lines. */
export async function readJsonLines(
  file: string,
  text: AsyncIterable<string>,
  onRow: (row: SourceRow) => void,
): Promise<void> {
  let number = 0;
  const read = (line: string): void => {
    number += 1;
    if (line.trim() === '') return;
    const where = `'${file}', line ${number}`;
    const { value, lost } = parseJsonText(line);
    if (lost !== undefined) throw new ResourceError(`${where} ${lost}.`);
    if (!isRecord(value))
      throw new ResourceError(
        `${where} is not a JSON object. Write one object a line, or one array of objects.`,
      );
    onRow(rowOf(number, value));
  };
  // node:readline also ends lines at U+2028, which JSON texts may have.
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) read(line);
  }
  read(rest);
}

/** Reads a JSON array of objects. */
export async function readJsonArray(
  file: string,
  text: AsyncIterable<string>,
  onRow: (row: SourceRow) => void,
): Promise<void> {
  let whole = '';
  for await (const chunk of text) whole += chunk;
  const { value, lost } = parseJsonText(whole);
  if (lost !== undefined) throw new ResourceError(`'${file}' ${lost}.`);
  if (!Array.isArray(value)) {
    throw new ResourceError(`'${file}' begins as a JSON array, but is not JSON. Was the file cut off?`);
  }
  for (const [index, record] of value.entries()) {
    if (!isRecord(record)) throw new ResourceError(`'${file}', item ${index + 1} is not a JSON object.`);
    onRow(rowOf(index + 1, record));
  }
}

/** The row of a record: `properties`, `subscriptionGroups` and `clear` are flat names. */
export function rowOf(number: number, record: Raw): SourceRow {
  const names: string[] = [];
  const values: unknown[] = [];
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return;
    names.push(name);
    values.push(value);
  };
  for (const [name, value] of Object.entries(record)) {
    const isNested = name === 'properties' || name === 'subscriptionGroups';
    if (name === 'clear' && Array.isArray(value)) for (const field of value) add(String(field), CLEARED);
    else if (isNested && isRecord(value))
      for (const [inner, one] of Object.entries(value))
        add(name === 'properties' ? inner : `subscriptionGroups.${inner}`, one);
    else add(name, value);
  }
  return { number, names, values };
}
