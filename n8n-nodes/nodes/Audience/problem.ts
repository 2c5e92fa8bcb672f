/** What a problem or a note is about, as a person knows it. */
export interface Subject {
  /** An argument is what a model fills in, where the node is its tool. */
  readonly kind: 'field' | 'argument' | 'variable' | 'contact field' | 'event property';
  readonly name: string;
}

/** Which fields the input has, for a person who looks for a name. */
export interface InputNames {
  /** The field whose fields they are; nothing for those of the item itself. */
  readonly owner?: string | undefined;
  readonly names: readonly string[];
  /** What is wrong with the names of a file that was read before. */
  readonly slip?: 'one-column' | 'invisible-mark' | undefined;
}

/** What is wrong with an input of the node. */
export type ProblemCode =
  // A value that is not there.
  | 'empty'
  | 'absent'
  | 'absent-in-json'
  | 'no-value'
  | 'no-value-in-some'
  | 'empty-part'
  | 'no-contact'
  | 'no-property-name'
  // An expression, or a part of one.
  | 'expression-fails'
  | 'brace-left-over'
  | 'boolean-in-text'
  | 'object-in-text'
  | 'not-a-number'
  | 'invalid-date'
  | 'rounded-number'
  | 'not-evaluated'
  // A value of another form, or one that cannot be there.
  | 'misfit'
  | 'not-json'
  | 'lossy-json'
  | 'given-twice'
  | 'unusable-name'
  | 'email-as-user-id'
  // Something that the service does not have, or has already.
  | 'unknown-design'
  | 'unknown-group'
  | 'unknown-field'
  | 'field-cannot-be-set'
  | 'field-of-event'
  | 'property-exists'
  | 'property-of-other-type'
  // What is not allowed.
  | 'consent-column'
  | 'opted-out'
  | 'group-in-both'
  | 'email-by-email'
  | 'identity-conflict'
  | 'one-key'
  | 'forgotten-key';

/** The form that a value must have. */
export type Expected =
  | 'text'
  | 'number'
  | 'plain-number'
  | 'boolean'
  | 'only-false'
  | 'date'
  | 'date-not-day-number'
  | 'date-with-dashes'
  | 'seconds'
  | 'short-number'
  | 'whole-number'
  | 'one-value'
  | 'one-address'
  | 'address-without-equals-sign'
  | 'address-without-name'
  | 'json-value'
  | 'one-of'
  | 'ids'
  | 'object'
  | 'properties';

/** A frequent slip in a JSON text. */
export type JsonSlip =
  'comma-at-end' | 'decimal-comma' | 'quotation-marks' | 'name-without-value' | 'no-comma';

/** Something that is wrong with an input of the node, as data. The catalogue has the sentences. */
export interface Problem {
  readonly code: ProblemCode;
  readonly subject?: Subject | undefined;
  /** The expression that is to blame, as it is written between the braces. */
  readonly part?: string | undefined;
  readonly given?: unknown;
  readonly expected?: Expected | undefined;
  /** Bounds of a number. */
  readonly bounds?: readonly [min: number, max: number] | undefined;
  /** What can be chosen instead, or what is in conflict. */
  readonly names?: readonly string[] | undefined;
  readonly input?: InputNames | undefined;
  readonly slip?: JsonSlip | undefined;
  /** Whether it tells one thing from another, so that no part of it may be empty. */
  readonly isIdentifier?: boolean | undefined;
}

/** An input of the node that cannot be used. Nothing was sent for it. */
export class InputProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code);
    this.name = 'InputProblem';
  }
}

/** Something that the output panel should say of an item. */
export interface Note {
  readonly code:
    | 'empty'
    | 'empty-part'
    | 'left-out'
    | 'variables-dropped'
    | 'unmapped'
    | 'nothing-to-change'
    | 'not-found';
  readonly subject?: Subject;
  readonly names?: readonly string[];
}

/** Who reads a message, and where: a person who builds the workflow, one who looks at an execution, or a model. */
export type Reader = 'editor' | 'execution' | 'agent';
