import { ValidationError } from '../errors.js';
import { isRecord } from '../is-record.js';
import { nearest } from '../nearest.js';
import type { Problem } from '../problem.js';

/** The designs of transactional emails: id to the names of the variables that each expects. */
export type EmailSchema = Readonly<Record<string, readonly string[]>>;

const CANNOT_BE_USED = 'The email schema cannot be used';

/**
 * Declares the designs that an account has, so that `send` knows their variables. `audience-schema` writes it:
 *
 * ```ts
 * const emails = defineEmailSchema({ 'design-welcome': ['firstName', 'link'] });
 * ```
 *
 * @throws ValidationError for what is no list of names.
 */
export function defineEmailSchema<const Schema extends EmailSchema>(schema: Schema): Schema {
  if (!isRecord(schema))
    throw new ValidationError(CANNOT_BE_USED, [{ path: [], code: 'wrongType', expected: 'object' }]);
  const problems = Object.entries(schema)
    .filter(([, names]) => !Array.isArray(names) || names.some((name) => typeof name !== 'string'))
    .map(([id]): Problem => ({ path: [id], code: 'wrongType', expected: 'nameList' }));
  if (problems.length > 0) throw new ValidationError(CANNOT_BE_USED, problems);
  return schema;
}

/** What is wrong with an email by the schema: a design or a variable that it does not know. */
export function emailProblems(
  schema: EmailSchema | undefined,
  { transactionalId, dataVariables }: Readonly<Record<string, unknown>>,
): Problem[] {
  if (schema === undefined || typeof transactionalId !== 'string') return [];
  const names = Object.hasOwn(schema, transactionalId) ? schema[transactionalId] : undefined;
  if (names === undefined) {
    const wayOut = nearest(transactionalId, Object.keys(schema));
    return [{ path: ['transactionalId'], code: 'unknownDesign', wayOut }];
  }
  return Object.keys(isRecord(dataVariables) ? dataVariables : {})
    .filter((name) => !names.includes(name))
    .map((name) => ({
      path: ['dataVariables', name],
      code: 'unknownVariable',
      wayOut: nearest(name, names),
    }));
}
