import { isRecord } from 'audience-core/internal';
import { InputProblem, misfit, type Subject } from '../problem.js';
import { isExpression } from './expressions.js';
import type { Parameters } from './parameters.js';
import { isEmpty } from './values.js';

/** One field of a resource mapper for one item. */
export interface MappedField {
  readonly name: string;
  /** What stands in the form; `undefined` where the value comes from the input or from an object. */
  readonly stored: unknown;
  /** Whether an expression, the input or an object gives the value: it may be empty then. */
  readonly isComputed: boolean;
  /** Its value; `undefined` where its expression has no result for this item. */
  readonly read: (subject: Subject, isIdentifier?: boolean) => unknown;
}

export interface Mapping {
  readonly fields: readonly MappedField[];
  /** Whether they are the fields of the input item, which may hold anything. */
  readonly isAutomatic: boolean;
}

/** Fields of an object, which is data: a text in it that begins with '=' is no expression. */
function dataFields(values: Readonly<Record<string, unknown>>): MappedField[] {
  return Object.entries(values).map(([name, value]) => ({
    name,
    stored: undefined,
    isComputed: true,
    read: () => value,
  }));
}

/** The fields of an item. A file often begins with an invisible mark, which becomes a part of the first name. */
function withTrimmedNames(json: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const entries = Object.entries(json).map(([name, value]) => {
    const trimmed = name.trim();
    return [Object.hasOwn(json, trimmed) ? name : trimmed, value] as const;
  });
  return Object.fromEntries(entries);
}

/** Reads a resource mapper for one item, or the field for JSON that a user has chosen in its place. */
export function readMapping(parameters: Parameters, name: string, isJson = false): Mapping {
  if (isJson) return { fields: dataFields(parameters.object(`${name}Json`)), isAutomatic: false };
  const stored = parameters.stored(name);
  const subject = parameters.subject(name);
  const given = isExpression(stored) ? parameters.read(stored, subject) : stored;
  const mapper = isRecord(given) ? given : {};
  const isAutomatic = mapper['mappingMode'] === 'autoMapInputData';
  if (isAutomatic) {
    // The form only hides the choice: an imported workflow can have it.
    if (parameters.form.field(name)?.typeOptions?.resourceMapper?.supportAutoMap === false)
      throw new InputProblem({ code: 'automatic-mapping', subject });
    const input = parameters.context.getInputData()[parameters.itemIndex]?.json;
    return { fields: dataFields(withTrimmedNames(input)), isAutomatic };
  }
  const isData = isExpression(stored) || isExpression(mapper['value']);
  const values = isExpression(mapper['value']) ? parameters.read(mapper['value'], subject) : mapper['value'];
  if (isData && isEmpty(values))
    throw parameters.missing(subject, isExpression(stored) ? stored : mapper['value']);
  if (isData && !isRecord(values)) throw misfit(subject, values, 'object');
  if (!isRecord(values)) return { fields: [], isAutomatic };
  if (isData) return { fields: dataFields(values), isAutomatic };
  const fields = Object.entries(values).map(([field, value]): MappedField => ({
    name: field,
    stored: value,
    isComputed: isExpression(value),
    read: (what, isIdentifier = false) =>
      isIdentifier ? parameters.identifierOf(value, what) : parameters.read(value, what),
  }));
  return { fields, isAutomatic };
}
