import type { Values } from '../people/values.js';

/** Where a contact is declared, and its identifiers. */
export interface RowIdentity {
  /** For messages: `line 7` of a file, `contacts[3]` of an array. */
  readonly location: string;
  readonly email?: string;
  readonly userId?: string;
}

/** One declared contact of a list. */
export interface DeclaredRow extends RowIdentity {
  /** Values on the wire by flat name: `firstName`, `planName`, `subscriptionGroups.<id>`; `null` clears. */
  readonly values: Values;
  /** Fields with an empty cell, where `emptyCells` is `clear`: a value that an earlier run wrote is cleared. */
  readonly emptied?: readonly string[];
}

/** The source for messages: `'people.csv'`, or `the array 'contacts'`. */
export function nameOfSource({ file }: { readonly file?: string | undefined }): string {
  return file === undefined ? "the array 'contacts'" : `'${file}'`;
}
