import { isRecord, parseJsonText, parseValue } from 'audience-core/internal';
import type { PropertyType, PropertyValue } from 'audience-core';
import { InputProblem, misfit, type Subject } from '../problem.js';
import { inZone } from '../dates.js';
import { Expressions, isExpression, isWholeItem, type Use } from './expressions.js';
import { argumentIn } from './labels.js';
import { isEmpty, readIdentifier, readValue } from './values.js';

/** An expression of n8n in a field that is not set to 'Expression': it would go out as it stands. */
const NOT_EVALUATED =
  /\{\{[^{}$]*\$[^{}]*\}\}|^\s*(?:\{\s*)?\$(json|node|input|item|now|today)(\.|\[|\(|\s*\}?\s*$)/;

/**
 * Reads the node's parameters for one item: `flag`, `number`, `choice`, `ids` and `object` by their kinds, `identifier`
 * what tells one from the others, `locator` a resource locator, `value` what the caller converts.
 */
export class Parameters extends Expressions {
  /** What stands in the node, expressions as they are written; `undefined` for what it does not have. */
  stored(name: string): unknown {
    const options = { rawExpressions: true };
    const stored: unknown = this.context.getNodeParameter(name, this.itemIndex, null, options);
    return stored ?? undefined;
  }

  subject(name: string): Subject {
    return this.form.subject(name);
  }

  /** The subject of what stands inside of a field; for a model, the argument that fills it in. */
  subjectOf(kind: Subject['kind'], name: string, stored?: unknown): Subject {
    const argument = this.form.isForModel ? argumentIn(stored) : undefined;
    return argument === undefined ? { kind, name } : { kind: 'argument', name: argument };
  }

  /** The value of a field; `undefined` where it was left alone or its expression has no result for this item. */
  value(name: string, use: Use = 'text'): unknown {
    return this.read(this.stored(name), this.subject(name), use);
  }

  read(stored: unknown, subject: Subject, use: Use = 'text'): unknown {
    if (typeof stored === 'string' && !isExpression(stored) && NOT_EVALUATED.test(stored))
      throw new InputProblem({ code: 'not-evaluated', subject, given: stored });
    const value = this.evaluate(stored, subject, use);
    if (use !== 'json' && isWholeItem(stored) && isRecord(value))
      this.note({ code: 'whole-item', subject, names: Object.keys(value) });
    return value;
  }

  /** The problem of a field that has to have a value, and has none; `code` is for a value that no expression gives. */
  missing(subject: Subject, stored: unknown, code: 'empty' | 'unlisted' | 'absent' = 'empty'): InputProblem {
    if (isExpression(stored)) return new InputProblem({ code: 'no-value', subject, part: codeIn(stored) });
    return new InputProblem({ code, subject });
  }

  /** Reads a value of a known type. A time without a zone is in the zone of the workflow. */
  typed(subject: Subject, type: PropertyType, value: unknown): PropertyValue {
    return readValue(subject, type, type === 'date' ? inZone(value, this.context.getTimezone()) : value);
  }

  /** Text that tells one from the others, `undefined` where it was left empty. */
  identifier(name: string): string | undefined {
    const stored = this.stored(name);
    const subject = this.subject(name);
    const text = this.identifierOf(stored, subject);
    // Without it the contact may be another one, or nobody can write to it.
    if (text === undefined && isExpression(stored)) this.note({ code: 'left-out', subject });
    return text;
  }

  identifierOf(stored: unknown, subject: Subject): string | undefined {
    const value = this.read(stored, subject, 'identifier');
    if (isEmpty(value)) return undefined;
    return readIdentifier(subject, value);
  }

  /** @throws InputProblem as `identifier`, and where it was left empty. */
  requiredIdentifier(name: string): string {
    const stored = this.stored(name);
    const subject = this.subject(name);
    const text = this.identifierOf(stored, subject);
    if (text === undefined) throw this.missing(subject, stored);
    return text;
  }

  flag(name: string): boolean {
    return readValue(this.subject(name), 'boolean', this.#filled(name) ?? false) === true;
  }

  /** A whole number within the bounds of its field. */
  number(name: string): number {
    const { typeOptions = {}, default: unset } = this.form.field(name) ?? {};
    const { minValue: min = -Infinity, maxValue: max = Infinity } = typeOptions;
    const given = this.#filled(name) ?? unset;
    const read = parseValue('number', given);
    const value = read.ok ? read.value : given;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw misfit(this.subject(name), value, max === Infinity ? 'at-least' : 'between', [`${min}`, `${max}`]);
  }

  /** One of the values of a drop-down, of those that the caller tells apart. */
  choice<Value extends string>(name: string, values: readonly Value[]): Value {
    const given = this.#filled(name) ?? this.form.field(name)?.default;
    const chosen = values.find((known) => known === given);
    if (chosen !== undefined) return chosen;
    const { options = [] } = this.form.field(name) ?? {};
    const names = options.flatMap((option) => ('value' in option ? [`'${option.name}'`] : []));
    throw misfit(this.subject(name), given, 'one-of', names);
  }

  /** Mode and value of a resource locator. */
  locator(name: string): { mode: string | undefined; value: string } {
    const stored = this.stored(name);
    const subject = this.subject(name);
    const given = isExpression(stored) ? this.read(stored, subject, 'identifier') : stored;
    const isLocator = isRecord(given) && ('__rl' in given || 'mode' in given);
    const mode = isLocator && typeof given['mode'] === 'string' ? given['mode'] : undefined;
    const inside = isLocator ? given['value'] : stored;
    const value = this.identifierOf(inside, subject);
    if (value === undefined) throw this.missing(subject, inside);
    return { mode, value };
  }

  /**
   * Ids chosen in a multiple choice, or given by an expression as a list or separated by commas.
   *
   * @throws InputProblem where an expression has no value: whether none is meant is not known.
   */
  ids(name: string): string[] {
    const stored = this.stored(name);
    const subject = this.subject(name);
    const value = this.read(stored, subject);
    if ((value === undefined || value === null) && isExpression(stored)) throw this.missing(subject, stored);
    if (isEmpty(value)) return [];
    const entries: unknown = typeof value === 'string' ? value.split(',') : value;
    if (!Array.isArray(entries) || entries.some(isEmpty)) throw misfit(subject, value, 'ids');
    return [...new Set(entries.map((entry) => readIdentifier(subject, entry)))];
  }

  /** A JSON field as an object of names and values. */
  object(name: string): Record<string, unknown> {
    const subject = this.subject(name);
    const given = this.value(name, 'json');
    if (given === undefined && isExpression(this.stored(name))) this.note({ code: 'left-out', subject });
    if (isEmpty(given)) return {};
    const value = typeof given === 'string' ? parseJsonText(given) : given;
    if (isRecord(value)) return value;
    throw new InputProblem({ code: 'not-json', subject, given });
  }

  #filled(name: string): unknown {
    const value = this.value(name);
    if (!isEmpty(value)) return value;
    const stored = this.stored(name);
    if (isExpression(stored)) throw this.missing(this.subject(name), stored);
    return undefined;
  }
}

function codeIn(stored: string): string {
  return stored.replace(/^=\s*(\{\{)?|\}\}\s*$/g, '');
}
