import { fieldsOf } from '../is-record.js';
import type { Problem, ProblemDetails } from '../messages/problems.js';
import * as z from '../zod.js';

/** A rule over a whole object. It runs even where single fields are wrong, so that every fault is reported. */
export function rule(
  check: (
    body: Readonly<Record<string, unknown>>,
    report: (field: string, problem: ProblemDetails) => void,
    /** Whether any of these fields is known to be wrong. */
    isWrong: (...fields: string[]) => boolean,
  ) => void,
): z.core.$ZodCheck<object> {
  return z.check<object>(
    ({ value, issues }) => {
      check(
        fieldsOf(value),
        (field, problem) => issues.push(issueOf({ ...problem, path: [field] }, value)),
        (...fields) => issues.some(({ path }) => fields.includes(String(path?.[0]))),
      );
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** A rule over one value: the problem that it has, with the path to it inside of the value, or `undefined`. */
export function refuse<Value>(
  problemOf: (value: Value) => (ProblemDetails & Partial<Problem>) | undefined,
): z.core.$ZodCheck<Value> {
  return z.check<Value>(({ value, issues }) => {
    const problem = problemOf(value);
    if (problem !== undefined) issues.push(issueOf(problem, value));
  });
}

/** A problem as an issue of zod, from which `readWith` reads it. */
function issueOf(
  { code, path = [], ...params }: ProblemDetails & Partial<Problem>,
  input: unknown,
): z.core.$ZodRawIssue<z.core.$ZodIssueCustom> {
  return { code: 'custom', message: code, path: [...path], params, input };
}
