import { isRecord } from 'audience-core/internal';
import { isExpression } from '../expressions/expressions.js';
import { misfit } from '../values/values.js';
import { withTrimmedNames } from './input.js';
import type { Parameters } from './parameters.js';

/** Values of a resource mapper. */
export interface MappedValues {
  /** The fields that have one, or an empty one. */
  readonly names: readonly string[];
  /** Whether they are the fields of the input item, which may hold anything. */
  readonly isAutomatic: boolean;
  /**
   * The value of a field; `undefined` where it has none.
   *
   * @param subject names the field in messages.
   * @throws InputProblem as `Parameters.value`.
   */
  readonly read: (name: string, subject: string, isIdentifier?: boolean) => unknown;
  /** What stands in the field, as it is written; `undefined` where the values come from the input. */
  readonly stored: (name: string) => unknown;
  /** Whether the person cannot see the field in the form, where that is known. */
  readonly isHidden: (name: string) => boolean;
}

/** Reads a resource mapper for one item. */
export function readMapper(parameters: Parameters, name: string): MappedValues {
  const stored = parameters.stored(name);
  const subject = parameters.subject(name);
  const given = isExpression(stored) ? parameters.read(stored, subject) : stored;
  const mapper = isRecord(given) ? given : {};
  const isAutomatic = mapper['mappingMode'] === 'autoMapInputData';
  const isData = isAutomatic || isExpression(stored) || isExpression(mapper['value']);
  const values = isAutomatic
    ? withTrimmedNames(parameters.context.getInputData()[parameters.itemIndex]?.json)
    : isExpression(mapper['value'])
      ? parameters.read(mapper['value'], subject)
      : mapper['value'];
  if (isData && !isRecord(values)) throw misfit(subject, values, 'an object of names and values');
  const fields = isRecord(values) ? values : {};
  const own = (field: string): unknown => (Object.hasOwn(fields, field) ? fields[field] : undefined);
  const schema = Array.isArray(mapper['schema']) ? mapper['schema'].filter(isRecord) : [];
  const shown = new Set(schema.filter(({ removed }) => removed !== true).map(({ id }) => id));
  return {
    names: Object.keys(fields),
    isAutomatic,
    // What is data is no expression, also where a text in it begins with '='.
    read: (field, what, isIdentifier = false) => {
      if (isData) return own(field) ?? undefined;
      return isIdentifier ? parameters.identifierOf(own(field), what) : parameters.read(own(field), what);
    },
    stored: (field) => (isData ? undefined : own(field)),
    isHidden: (field) => shown.size > 0 && !shown.has(field),
  };
}
