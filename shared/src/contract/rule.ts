import * as z from '../zod.js';

/** A rule over a whole object. It runs even where single fields are wrong, so that a person sees every fault. */
export function rule(
  check: (
    body: Readonly<Record<string, unknown>>,
    report: (field: string, message: string) => void,
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
