import { parse as parseYaml } from 'yaml';
import * as z from 'zod/mini';
import { SandboxError } from '../sandbox-error.js';
import { profileSchema, type Profile } from '../profile.js';

const documentedSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({ enum: z.optional(z.array(z.unknown())), description: z.string(), section: z.string() }),
  ),
});

/** The options of the profile, each with its name on the command line and the section of the interface. */
export const PROFILE_OPTIONS = Object.entries(
  documentedSchema.parse(z.toJSONSchema(profileSchema)).properties,
).map(([name, { enum: values, description, section }]) => ({
  name,
  flag: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  values: values?.map(String) ?? ['milliseconds'],
  description,
  section,
}));

/** Reads single options of a profile as they are on the command line. @throws SandboxError that names the wrong one. */
export function readProfileFlags(flags: Readonly<Record<string, unknown>>): Partial<Profile> {
  const given = PROFILE_OPTIONS.flatMap(({ name, flag, values }) => {
    const text = flags[flag];
    if (typeof text !== 'string') return [];
    // As in YAML: 404 is a number, and null is null.
    const value: unknown = parseYaml(text);
    if (z.partial(profileSchema).safeParse({ [name]: value }).success) return [[name, value] as const];
    throw new SandboxError({
      code: 'option_not_allowed',
      name: flag,
      value: text,
      allowed: values.join(', '),
    });
  });
  return z.partial(profileSchema).parse(Object.fromEntries(given));
}
