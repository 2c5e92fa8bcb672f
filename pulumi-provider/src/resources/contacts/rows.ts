import type { PropertyTypes } from '../known-properties.js';
import { encodeFields, IDENTIFIERS, RECORD_FIELDS } from '../people/fields.js';
import { valuesOf } from '../people/values.js';
import type { Values } from '../people/values.js';
import { propertiesOf } from '../people/fields.js';
import type { Raw } from '../raw.js';
import { textOf } from '../raw.js';
import { unknownInput } from '../words.js';
import type { Inputs } from './inputs.js';
import { codecOf, readRecords } from './records.js';
import { describeIssue } from 'audience-core/internal';

/** One declared contact of a list. */
export interface DeclaredRow {
  /** Where it stands, for messages: `line 7` of a file, `contacts[3]` of an array. */
  readonly location: string;
  readonly email?: string;
  readonly userId?: string;
  /** Values on the wire by flat name: `firstName`, `planName`, `subscriptionGroups.<id>`; `null` clears. */
  readonly values: Values;
}

/** Where contacts are declared. */
export type RowSource = Pick<Inputs, 'file' | 'contacts' | 'format' | 'delimiter'>;

/** What reading rows needs, and what it tells. */
export interface RowReading {
  /** Types of custom properties by name; one that is missing has no type. */
  typesOf(names: readonly string[]): Promise<PropertyTypes>;
  /** Told of each fault: `line 7: 'email' must be an email address`. A faulty row is left out. */
  onFault(fault: string): void;
}

/** The source for messages: `'people.csv'`, or `the array 'contacts'`. */
export function nameOfSource({ file }: Pick<RowSource, 'file'>): string {
  return file === undefined ? "the array 'contacts'" : `'${file}'`;
}

/**
 * Reads the declared rows, one after the other.
 *
 * @throws ResourceError when the file cannot be read, or is not of its form; the message names file and line.
 */
export async function* readRows(source: RowSource, reading: RowReading): AsyncGenerator<DeclaredRow, void> {
  for await (const { location, fields } of readRecords(source)) {
    const problems = Object.keys(fields)
      .filter((name) => !RECORD_FIELDS.includes(name))
      .map((name) => unknownInput(name, RECORD_FIELDS));
    const known = Object.fromEntries(Object.entries(fields).filter(([name]) => RECORD_FIELDS.includes(name)));
    const types = await reading.typesOf(Object.keys(propertiesOf(known)));
    const encoded = encodeFields(known, types, codecOf(source));
    problems.push(...encoded.issues.map((issue) => hideAddress(describeIssue(issue))));
    if (problems.length === 0) yield rowOf(location, encoded.fields);
    for (const problem of problems) reading.onFault(`${location}: ${problem}`);
  }
}

function rowOf(location: string, fields: Raw): DeclaredRow {
  const identifiers = IDENTIFIERS.flatMap((name): [string, string][] => {
    const value = textOf(fields[name]);
    return value === undefined ? [] : [[name, value]];
  });
  return { location, ...Object.fromEntries(identifiers), values: valuesOf(fields) };
}

/** Names of properties are quoted in messages, values are not; an address never is. */
function hideAddress(text: string): string {
  return text.replaceAll(/'[^'\s]+@[^'\s]+'/g, 'it');
}
