import { parse as parseYaml } from 'yaml';
import * as z from 'zod/mini';
import { SandboxError } from '../sandbox-error.js';
import { profileSchema, type Profile } from '../profile.js';

/** The options of the profile, each with its name on the command line and its values. */
export const PROFILE_OPTIONS = Object.entries(profileSchema.shape).map(([name, { def }]) => ({
  name,
  flag: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  values: 'values' in def ? def.values.map(String) : ['milliseconds'],
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
