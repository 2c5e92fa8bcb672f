import type { Form, ProblemCode } from './messages.js';

/** Field names and list positions that lead to a value; empty for the input as a whole. */
export type FieldPath = readonly (string | number)[];

/** The data of a problem, without its code. */
export interface ProblemFacts {
  /** What would be right: a form, a bound, or the values that are allowed. */
  readonly expected?: Form | number | readonly string[] | undefined;
  /** What was given: the kind of the value, such as `string`, or the name or character that is wrong. */
  readonly given?: string | undefined;
  /** What to write instead, where that is known. */
  readonly wayOut?: string | undefined;
}

/** What is wrong with a value. `messages.ts` has the sentence of each code. */
export interface ProblemDetails extends ProblemFacts {
  readonly code: ProblemCode;
}

/** What is wrong with an input, and where. */
export interface Problem extends ProblemDetails {
  readonly path: FieldPath;
}
