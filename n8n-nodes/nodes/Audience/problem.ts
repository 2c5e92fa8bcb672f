import type { Expected, ProblemCode } from './messages/problems.js';

/** What a problem or a note is about. An argument is what a model fills in, where the node is its tool. */
export interface Subject {
  readonly kind: 'field' | 'argument' | 'variable' | 'contact field' | 'event property';
  readonly name: string;
}

/** Something that is wrong with an input of the node, as data. The catalogue has the sentences. */
export interface Problem {
  readonly code: ProblemCode;
  readonly subject?: Subject | undefined;
  /** The expression that is to blame, as it is written between the braces. */
  readonly part?: string | undefined;
  readonly given?: unknown;
  /** Of a run: whether another workflow called this one. That one has to be started. */
  readonly isSubWorkflow?: boolean | undefined;
  readonly expected?: Expected | undefined;
  /** What can be chosen instead, what is in conflict, or the bounds of a number. */
  readonly names?: readonly string[] | undefined;
}

/** An input of the node that cannot be used: nothing is sent for it. */
export class InputProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code);
    this.name = 'InputProblem';
  }
}

/** The problem of a value that is not what its field asks for. */
export function misfit(
  subject: Subject,
  given: unknown,
  expected: Expected,
  names?: readonly string[],
): InputProblem {
  return new InputProblem({ code: 'misfit', subject, given, expected, names });
}
