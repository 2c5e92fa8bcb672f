import { z } from 'zod/v4';

/** What a rule over a whole object reports: the field and what is wrong with it. */
export type Report = (field: string, message: string) => void;

/**
 * A rule over a whole object that also runs when single fields of it are already known to be wrong, so that a
 * person sees every fault at once. (zod skips a plain `refine` in that case.) A field that is known to be wrong is not
 * in the object by then: the rule must not take it for missing, so it is told which these are.
 */
export function wholeObjectRule(
  rule: (
    body: Readonly<Record<string, unknown>>,
    report: Report,
    /** Whether any of these fields is known to be wrong. */
    isWrong: (...fields: string[]) => boolean,
  ) => void,
): z.core.$ZodCheck<object> {
  const check = z.check<object>((payload) => {
    const wrong = new Set(payload.issues.map(({ path }) => path?.[0]));
    const report: Report = (field, message) => {
      payload.issues.push({ code: 'custom', path: [field], message, input: payload.value });
    };
    rule(Object.fromEntries(Object.entries(payload.value)), report, (...fields) =>
      fields.some((field) => wrong.has(field)),
    );
  });
  check._zod.def.when = (payload) => typeof payload.value === 'object' && payload.value !== null;
  return check;
}
