import { isRecord } from 'audience-core/internal';
import type { Subject } from '../problem.js';
import { isExpression } from './expressions.js';
import { withTrimmedNames } from './input.js';
import type { Parameters } from './parameters.js';
import { misfit } from './values.js';

/** One field of a resource mapper for one item. */
export interface MappedField {
  readonly name: string;
  /** What stands in the form; `undefined` where the value comes from the input or from an object. */
  readonly stored: unknown;
  /** Whether an expression, the input or an object gives the value: it may be empty then. */
  readonly isComputed: boolean;
  /** Whether the person cannot see the field in the form, where that is known. */
  readonly isHidden: boolean;
  /**
   * Its value; `undefined` where it has none.
   *
   * @throws InputProblem as `Parameters.read`.
   */
  readonly read: (subject: Subject, isIdentifier?: boolean) => unknown;
}

/** Values of a resource mapper. */
export interface Mapping {
  readonly fields: readonly MappedField[];
  /** Whether they are the fields of the input item, which may hold anything. */
  readonly isAutomatic: boolean;
}

/** Reads a resource mapper for one item. */
export function readMapping(parameters: Parameters, name: string): Mapping {
  const stored = parameters.stored(name);
  const subject = parameters.subject(name);
  const given = isExpression(stored) ? parameters.read(stored, subject) : stored;
  const mapper = isRecord(given) ? given : {};
  const isAutomatic = mapper['mappingMode'] === 'autoMapInputData';
  // What is data is no expression, also where a text in it begins with '='.
  const isData = isAutomatic || isExpression(stored) || isExpression(mapper['value']);
  const values = isAutomatic
    ? withTrimmedNames(parameters.context.getInputData()[parameters.itemIndex]?.json)
    : isExpression(mapper['value'])
      ? parameters.read(mapper['value'], subject)
      : mapper['value'];
  if (isData && !isRecord(values)) throw misfit(subject, values, 'object');
  const schema = Array.isArray(mapper['schema']) ? mapper['schema'].filter(isRecord) : [];
  const shown = new Set(schema.filter(({ removed }) => removed !== true).map(({ id }) => id));
  const fields = Object.entries(isRecord(values) ? values : {}).map(([field, value]): MappedField => ({
    name: field,
    stored: isData ? undefined : value,
    isComputed: isData || isExpression(value),
    isHidden: shown.size > 0 && !shown.has(field),
    read: (what, isIdentifier = false) => {
      if (isData) return value ?? undefined;
      return isIdentifier ? parameters.identifierOf(value, what) : parameters.read(value, what);
    },
  }));
  return { fields, isAutomatic };
}
