import * as z from 'zod/mini';
import { ANSWERS, LIST_ANSWERS } from './consent.js';
import { OTHERS } from './texts.js';

/** What only the user can say. It is refused until it is replaced. */
export const BLANK = '?';

/**
 * Where the rows are, and how they are read: inputs of `Contacts`.
 *
 * @param says what a user reads of a wrong one.
 */
export function optionsShape(
  says: Readonly<Record<'consent' | 'others' | 'encoding' | 'dateFormat', string>>,
) {
  // Nobody sees which the other texts are.
  const byText = z
    .record(z.string(), z.enum(ANSWERS))
    .check(z.refine((answers) => answers[OTHERS] !== 'mail', says.others));
  const consent = z.union([z.enum(LIST_ANSWERS), z.record(z.string(), byText)], says.consent);
  const dateFormat = z.string().check(z.refine(isDateFormat, says.dateFormat));
  return {
    file: z.optional(z.string().check(z.minLength(1))),
    contacts: z.optional(z.array(z.record(z.string(), z.unknown()))),
    columns: z.optional(z.record(z.string(), z.string())),
    consent: z.optional(consent),
    encoding: z.optional(z.string().check(z.refine(isEncoding, says.encoding))),
    nullValues: z.optional(z.array(z.string())),
    dateFormat: z.optional(z.record(z.string(), dateFormat)),
  };
}

export type ReadOptions = z.infer<z.ZodMiniObject<ReturnType<typeof optionsShape>>> & {
  /** Where it is set, rows cause mail, so that a file has to say who wants it. */
  readonly createWithEvent?: unknown;
};

function isDateFormat(format: string): boolean {
  // Other libraries write days as DD and years as YYYY, and `mm` is minutes.
  return /^(?=.*y)(?=.*[ML])(?=.*d)[^DYQ]*$/.test(format.replaceAll(/'[^']*'/g, ''));
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'replacement';
  } catch {
    return false;
  }
}
