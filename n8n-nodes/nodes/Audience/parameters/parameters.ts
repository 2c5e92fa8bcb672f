import { isRecord, parseValue } from 'audience-core/internal';
import type { PropertyType, PropertyValue } from 'audience-core';
import type { IExecuteFunctions } from 'n8n-workflow';
import { EMPTY_PART, Expressions, isExpression, noValue } from '../expressions/expressions.js';
import { InputProblem } from '../messages/errors.js';
import type { Form } from '../messages/form.js';
import { inBraces } from '../messages/text.js';
import { inZone } from '../values/dates.js';
import { isEmpty, misfit, readIdentifier, readValue } from '../values/values.js';
import { adviceOnInput, hasValueInAnyItem } from './input.js';

/** Stands for a parameter that the node does not have; no person writes it. */
const UNSET = 'audience:unset';

/**
 * Reads the node's parameters for one item: `text`, `flag`, `number`, `choice` and `ids` by their kinds, `identifier` what
 * tells one from the others, `locator` a resource locator, `value` what the caller reads by itself.
 */
export class Parameters extends Expressions {
  /** @param note is called with what the output panel should say, as the end of a sentence. */
  constructor(
    context: IExecuteFunctions,
    itemIndex: number,
    readonly form: Form,
    note: (what: string) => void,
  ) {
    super(context, itemIndex, (subject) => {
      note(`${lowerFirst(subject)} has an empty part`);
    });
  }

  /** What stands in the node, expressions as they are written; `undefined` for what it does not have. */
  stored(name: string): unknown {
    const stored: unknown = this.context.getNodeParameter(name, this.itemIndex, UNSET, {
      rawExpressions: true,
    });
    return stored === UNSET ? undefined : stored;
  }

  /**
   * The value of a field; `undefined` where it was left alone or has no value for this item.
   *
   * @throws InputProblem for an expression that fails, that has no value for any item, or lacks a part.
   */
  value(name: string, use: 'text' | 'identifier' | 'data' = 'text'): unknown {
    return this.read(this.stored(name), this.subject(name), use);
  }

  /** The same for what stands inside of a field. */
  read(stored: unknown, subject: string, use: 'text' | 'identifier' | 'data' = 'text'): unknown {
    const value = this.evaluate(stored, subject, use);
    const isMissing = value === undefined && isExpression(stored);
    if (isMissing && !hasValueInAnyItem(this.context, stored)) throw this.missing(subject, stored);
    return value === null ? undefined : value;
  }

  /** The problem of a field that has to have a value, and has none. */
  missing(subject: string, stored: unknown): InputProblem {
    if (!isExpression(stored))
      return new InputProblem(
        `${subject} is empty`,
        `Fill it in.${adviceOnInput(this.context, this.itemIndex)}`,
      );
    const { message, advice } = noValue(subject, inBraces(stored.replace(/^=\s*(\{\{)?|\}\}\s*$/g, '')));
    return new InputProblem(message, `${advice}${adviceOnInput(this.context, this.itemIndex)}`);
  }

  /** Reads a value of a known type. A time without a zone is in the zone of the workflow. */
  typed(subject: string, type: PropertyType, value: unknown): PropertyValue {
    return readValue(subject, type, type === 'date' ? inZone(value, this.context.getTimezone()) : value);
  }

  /** Text, `undefined` where it was left empty. A number counts as text, as ids often come as numbers. */
  text(name: string): string | undefined {
    const value = this.value(name);
    return isEmpty(value) ? undefined : String(readValue(this.subject(name), 'string', value)).trim();
  }

  /**
   * Text that tells one from the others, `undefined` where it was left empty.
   *
   * @throws InputProblem where a part of it has no value or is empty.
   */
  identifier(name: string): string | undefined {
    return this.identifierOf(this.stored(name), this.subject(name));
  }

  /** The same for what stands inside of a field. */
  identifierOf(stored: unknown, subject: string): string | undefined {
    const value = this.read(stored, subject, 'identifier');
    if (isEmpty(value)) return undefined;
    const text = readIdentifier(subject, value);
    // "user-" + an empty id gives 'user-': two contacts with it would become one.
    const isLeftOver =
      isExpression(stored) && stored.includes(text) && /^[-_.:|/#,;+~]|[-_.:|/#,;+~]$/.test(text);
    if (isLeftOver) throw noValue(subject, `a part of '${text}'`, EMPTY_PART);
    return text;
  }

  /** @throws InputProblem as `identifier`, and where it was left empty. */
  requiredIdentifier(name: string): string {
    const text = this.identifier(name);
    if (text === undefined) throw this.missing(this.subject(name), this.stored(name));
    return text;
  }

  /** A switch; off where it is not set. */
  flag(name: string): boolean {
    const value = this.#filled(name);
    return value !== undefined && readValue(this.subject(name), 'boolean', value) === true;
  }

  /**
   * A number within the bounds of its field.
   *
   * @param kind whether it may have a fraction.
   */
  number(name: string, kind: 'whole' | 'decimal' = 'whole'): number {
    const { unset, min, max } = this.form.numberRule(name);
    const given = this.#filled(name);
    if (given === undefined) return unset;
    const read = parseValue('number', given);
    const value = read.ok ? read.value : given;
    const isWhole = kind === 'decimal' || Number.isInteger(value);
    if (typeof value === 'number' && isWhole && value >= min && value <= max) return value;
    const bounds = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
    throw misfit(this.subject(name), value, `a ${kind === 'decimal' ? '' : 'whole '}number ${bounds}`);
  }

  /**
   * One of the values of a drop-down.
   *
   * @param values those of them that the caller tells apart.
   */
  choice<Value extends string>(name: string, values: readonly Value[]): Value {
    const given = this.#filled(name) ?? this.form.unset(name);
    const chosen = values.find((known) => known === given);
    if (chosen !== undefined) return chosen;
    throw misfit(this.subject(name), given, `one of ${this.form.optionNames(name).join(', ')}`);
  }

  /**
   * Mode and value of a resource locator.
   *
   * @throws InputProblem as `requiredIdentifier`.
   */
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

  /** Ids chosen in a multiple choice, or given by an expression as a list or separated by commas. */
  ids(name: string): string[] {
    const value = this.value(name);
    if (isEmpty(value)) return [];
    const subject = this.subject(name);
    const entries: unknown = typeof value === 'string' ? value.split(',') : value;
    if (!Array.isArray(entries)) throw misfit(subject, value, 'a list of IDs, or IDs separated by commas');
    if (entries.some(isEmpty))
      throw new InputProblem(`An entry of ${subject} is empty`, 'Fill in each of them, or remove it.');
    return [...new Set(entries.map((entry) => readIdentifier(subject, entry)))];
  }

  /** The label of a field in quotes, as the beginning of a sentence. */
  subject(name: string): string {
    return `'${this.form.label(name)}'`;
  }

  /** What is there; nothing where the field was left alone. */
  #filled(name: string): unknown {
    const value = this.value(name);
    if (!isEmpty(value)) return value;
    const stored = this.stored(name);
    if (isExpression(stored)) throw this.missing(this.subject(name), stored);
    return undefined;
  }
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
