/**
 * What this package uses of zod. The build puts a bundle of just this in place of the compiled file, so that
 * loading the client takes a tenth of the time that all of zod would, and no version of zod in a project matters.
 */
export {
  array,
  boolean,
  catchall,
  check,
  custom,
  enum,
  extend,
  globalRegistry,
  int,
  iso,
  literal,
  looseObject,
  maxLength,
  maximum,
  minLength,
  minimum,
  nullable,
  nullish,
  number,
  object,
  optional,
  pipe,
  record,
  refine,
  regex,
  strictObject,
  string,
  union,
  unknown,
} from 'zod/mini';
export type { core, infer, ZodMiniType } from 'zod/mini';
