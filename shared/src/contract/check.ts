import { z } from 'zod/v4';

/** What a rule over a whole object reports: the field and what is wrong with it. */
export type Report = (field: string, message: string) => void;

/**
 * A rule over a whole object that also runs when single fields of it are already known to be wrong, so that a
 * person sees every fault at once. (zod skips a plain `refine` in that case.)
 */
export function wholeObjectRule(
  rule: (body: Readonly<Record<string, unknown>>, report: Report) => void,
): z.core.$ZodCheck<object> {
  const check = z.check<object>((payload) => {
    rule(Object.fromEntries(Object.entries(payload.value)), (field, message) => {
      payload.issues.push({ code: 'custom', path: [field], message, input: payload.value });
    });
  });
  check._zod.def.when = (payload) => typeof payload.value === 'object' && payload.value !== null;
  return check;
}
