import type { Problem, ProblemDetails } from '../messages/problems.js';
import { fieldsOf } from '../is-record.js';
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
    (payload) => {
      check(
        fieldsOf(payload.value),
        (field, problem) => {
          payload.issues.push({ code: 'custom', path: [field], params: { problem }, input: payload.value });
        },
        (...fields) => payload.issues.some(({ path }) => fields.includes(String(path?.[0]))),
      );
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** A rule over one value: the problem that it has, with the path to it inside of the value, or `undefined`. */
export function refuse<Value>(
  problemOf: (value: Value) => (ProblemDetails & Partial<Problem>) | undefined,
): z.core.$ZodCheck<Value> {
  return z.check<Value>((payload) => {
    const problem = problemOf(payload.value);
    if (problem === undefined) return;
    const { path = [], ...details } = problem;
    payload.issues.push({
      code: 'custom',
      path: [...path],
      params: { problem: details },
      input: payload.value,
    });
  });
}
