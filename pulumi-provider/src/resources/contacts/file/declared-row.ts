/** A value in the form of the wire; `null` clears it. */
export type WireValue = string | number | boolean | null;

/** One declared contact, with its values in the form of the wire. */
export interface DeclaredRow {
  /** Where it is declared, for messages: `line 7`, or `contacts[3]`. */
  readonly location: string;
  readonly email?: string;
  readonly userId?: string;
  /** Values by flat name: `firstName`, `planName`, `subscribed`, `subscriptionGroups.<id>`. */
  readonly values: Readonly<Record<string, WireValue>>;
  /** Fields with an empty cell, where `emptyCells` is `clear`: a value that an earlier run wrote is cleared. */
  readonly emptied?: readonly string[];
}
