import * as z from '../zod.js';

/** What a rule over a whole object reports: the field and what is wrong with it. */
export type Report = (field: string, message: string) => void;

/**
 * A rule over a whole object that also runs when single fields of it are already known to be wrong, so that a
 * person sees every fault at once. A field that is known to be wrong is not in the object by then: the rule must
 * not take it for missing, so it is told which these are.
 */
export function rule(
  check: (
    body: Readonly<Record<string, unknown>>,
    report: Report,
    /** Whether any of these fields is known to be wrong. */
    isWrong: (...fields: string[]) => boolean,
  ) => void,
): z.core.$ZodCheck<object> {
  return z.check<object>(
    (payload) => {
      const wrong = new Set(payload.issues.map(({ path }) => path?.[0]));
      check(
        Object.fromEntries(Object.entries(payload.value)),
        (field, message) => {
          payload.issues.push({ code: 'custom', path: [field], message, input: payload.value });
        },
        (...fields) => fields.some((field) => wrong.has(field)),
      );
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}
