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
  /** Where the fields come from: the form, an object that a user has written, or the columns of the input item. */
  readonly from: 'form' | 'object' | 'columns';
  readonly fields: readonly MappedField[];
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

/**
 * Reads a resource mapper for one item, or the field for JSON that a user has chosen in its place.
 *
 * @throws InputProblem for a mode that the form does not offer: an imported workflow can have it.
 */
export function readMapping(parameters: Parameters, name: string, isJson = false): Mapping {
  if (isJson) return { from: 'object', fields: dataFields(parameters.object(`${name}Json`)) };
  const stored = parameters.stored(name);
  const subject = parameters.subject(name);
  const { mappingMode, value } = isRecord(stored) ? stored : {};
  // n8n cuts the '=' off an expression that stands for the whole of it.
  const isText = typeof stored === 'string' && stored !== '';
  if (isText || isExpression(mappingMode)) throw new InputProblem({ code: 'computed-mapping', subject });
  if (mappingMode === 'autoMapInputData') {
    if (parameters.form.field(name)?.typeOptions?.resourceMapper?.supportAutoMap === false)
      throw new InputProblem({ code: 'automatic-mapping', subject });
    const input = parameters.context.getInputData()[parameters.itemIndex]?.json;
    return { from: 'columns', fields: dataFields(input ?? {}) };
  }
  if (isExpression(value)) {
    const values = parameters.read(value, subject, 'json');
    if (isEmpty(values)) throw parameters.missing(subject, value);
    if (!isRecord(values)) throw misfit(subject, values, 'object');
    return { from: 'object', fields: dataFields(values) };
  }
  const fields = Object.entries(isRecord(value) ? value : {});
  return { from: 'form', fields: fields.map((field) => formField(parameters, ...field)) };
}

function formField(parameters: Parameters, name: string, stored: unknown): MappedField {
  return {
    name,
    stored,
    isComputed: isExpression(stored),
    read: (subject, isIdentifier = false) =>
      isIdentifier ? parameters.identifierOf(stored, subject) : parameters.read(stored, subject),
  };
}
