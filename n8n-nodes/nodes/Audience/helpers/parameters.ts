import type { PropertyType, PropertyValue } from 'audience-core';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { InputProblem } from './errors.js';
import type { Form } from './form.js';
import { isEmpty, isRecord, misfit, readValue, saysWord, shortened } from './values.js';

/** Stands for a parameter that the node does not have; no person writes it. */
const UNSET = 'audience:unset';

/** An expression that takes one value of the input: `={{ $json.name }}`. */
const TAKEN_AS_IT_IS = /^=\s*\{\{\s*\$(json|input|item|node|\()[^+`{}]*\}\}\s*$/;

/** What the node has for one parameter. */
export interface GivenValue {
  readonly value: unknown;
  /** Whether it stands in the node at all: an option that was not added does not. */
  readonly isSet: boolean;
  readonly byExpression: boolean;
}

/** Values of a resource mapper. */
export interface MappedValues {
  /** Values by field, with those that are empty. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether they are the fields of the input item, which may hold anything. */
  readonly automatic: boolean;
  /** Whether the value comes from an expression. */
  readonly isByExpression: (name: string) => boolean;
  /** Whether an expression put the value together in which nothing else says this word: neither it nor a text that it takes. */
  readonly isComposed: (name: string, word: string) => boolean;
  /** Whether the person can see the field in the form, where that is known. */
  readonly isHidden: (name: string) => boolean;
}

/**
 * Reads the node's parameters for one item. Each expression is evaluated by itself and its value taken as it is:
 * n8n would turn a date inside of an object into local text, and convert values by a schema that may be old.
 */
export class Parameters {
  constructor(
    readonly context: IExecuteFunctions,
    readonly itemIndex: number,
    readonly form: Form,
  ) {}

  /** The value as it is. */
  given(name: string): GivenValue {
    const stored = this.#stored(name);
    const isSet = stored !== UNSET;
    return { value: isSet ? this.#evaluate(stored) : undefined, isSet, byExpression: isExpression(stored) };
  }

  /** Whether a text of the input item says the word. */
  inputSays(word: string): boolean {
    return saysWord(this.context.getInputData()[this.itemIndex]?.json, word);
  }

  /** Expressions that a text puts together, `order-{{ $json.no }}`, of which this item has no value. */
  missingParts(name: string): string[] {
    const stored = this.#stored(name);
    if (!isExpression(stored)) return [];
    return partsOf(stored)
      .filter((part) => part !== stored.slice(1).trim())
      .filter((part) => this.#hasNoValue(part));
  }

  /** Text, `undefined` where it was left empty. A number counts as text, as ids often come as numbers. */
  text(name: string): string | undefined {
    return this.#text(this.given(name).value, this.form.label(name));
  }

  /**
   * Text that must be there.
   *
   * @throws InputProblem where it was left empty.
   */
  requiredText(name: string): string {
    return this.text(name) ?? this.#fail(this.form.label(name));
  }

  /** A switch; off where it is not set. What can be read in one way only is taken: 'TRUE', 1. */
  flag(name: string): boolean {
    return this.#read(name, 'boolean', false) === true;
  }

  /**
   * A number within the bounds of its field.
   *
   * @param kind whether it may have a fraction.
   */
  number(name: string, kind: 'whole' | 'decimal' = 'whole'): number {
    const { unset, min, max } = this.form.numberRule(name);
    const value = this.#read(name, 'number', unset);
    const fits =
      typeof value === 'number' &&
      value >= min &&
      value <= max &&
      (kind === 'decimal' || Number.isInteger(value));
    if (fits) return value;
    const bounds = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
    throw misfit(
      `'${this.form.label(name)}'`,
      value,
      `a ${kind === 'decimal' ? '' : 'whole '}number ${bounds}`,
    );
  }

  /**
   * One of the values of a drop-down.
   *
   * @param values those of them that the caller tells apart.
   */
  choice<Value extends string>(name: string, values: readonly Value[]): Value {
    const { value, isSet, byExpression } = this.given(name);
    const isUnset = !isSet || (isEmpty(value) && !byExpression);
    const chosen = values.find((known) => known === (isUnset ? this.form.unset(name) : value));
    if (chosen !== undefined) return chosen;
    throw misfit(`'${this.form.label(name)}'`, value, `one of ${values.join(', ')}`);
  }

  /** Mode and value of a resource locator. */
  locator(name: string): { mode: string | undefined; value: string } {
    const { value: given } = this.given(name);
    const label = this.form.label(name);
    const isLocator = isRecord(given) && ('__rl' in given || 'mode' in given);
    const mode = isLocator && typeof given['mode'] === 'string' ? given['mode'] : undefined;
    return { mode, value: this.#text(isLocator ? given['value'] : given, label) ?? this.#fail(label) };
  }

  /** Values of a resource mapper. */
  mapped(name: string): MappedValues {
    const stored = this.#stored(name);
    const given = this.#evaluate(stored);
    const mapper = isRecord(given) ? given : {};
    const written = isRecord(stored) && isRecord(stored['value']) ? stored['value'] : {};
    const automatic = mapper['mappingMode'] === 'autoMapInputData';
    const values = automatic
      ? withTrimmedNames(this.context.getInputData()[this.itemIndex]?.json)
      : mapper['value'];
    const schema = Array.isArray(mapper['schema']) ? mapper['schema'].filter(isRecord) : [];
    const shown = new Set(schema.filter(({ removed }) => removed !== true).map(({ id }) => id));
    return {
      values: isRecord(values) ? values : {},
      automatic,
      isByExpression: (field) => isExpression(written[field]),
      isComposed: (field, word) =>
        isComposed(written[field], word) && !this.#partSays(String(written[field]), word),
      isHidden: (field) => shown.size > 0 && !shown.has(field),
    };
  }

  /** Ids chosen in a multiple choice, or given by an expression as a list or separated by commas. */
  ids(name: string): string[] {
    const { value } = this.given(name);
    if (isEmpty(value)) return [];
    const label = this.form.label(name);
    const entries: unknown[] =
      typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
    if (entries.length === 0 && !Array.isArray(value)) {
      throw misfit(`'${label}'`, value, 'a list of IDs, or IDs separated by commas');
    }
    const texts = entries.map(
      (entry) => this.#text(entry, label) ?? this.#fail(`An entry of '${label}'`, false),
    );
    return [...new Set(texts)];
  }

  /** What stands in the node: expressions as they are written. */
  #stored(name: string): unknown {
    return this.context.getNodeParameter(name, this.itemIndex, UNSET, { rawExpressions: true });
  }

  #evaluate(stored: unknown): unknown {
    if (isExpression(stored)) return this.context.evaluateExpression(stored.slice(1), this.itemIndex);
    if (Array.isArray(stored)) return stored.map((inner) => this.#evaluate(inner));
    if (!isRecord(stored) || Object.getPrototypeOf(stored) !== Object.prototype) return stored;
    return Object.fromEntries(Object.entries(stored).map(([key, inner]) => [key, this.#evaluate(inner)]));
  }

  /** Whether a part that takes one value as it is gives a text with the word. */
  #partSays(stored: string, word: string): boolean {
    return partsOf(stored)
      .filter((part) => TAKEN_AS_IT_IS.test(`=${part}`))
      .some((part) => saysWord(this.context.evaluateExpression(part, this.itemIndex), word));
  }

  #hasNoValue(expression: string): boolean {
    try {
      return isEmpty(this.context.evaluateExpression(expression, this.itemIndex));
    } catch {
      // Braces inside of an expression: the text as a whole has been evaluated.
      return false;
    }
  }

  #read(name: string, type: PropertyType, unset: PropertyValue): PropertyValue {
    const { value, isSet, byExpression } = this.given(name);
    if (!isSet || (isEmpty(value) && !byExpression)) return unset;
    const label = this.form.label(name);
    return isEmpty(value) ? this.#fail(label) : readValue(`'${label}'`, type, value, '');
  }

  #text(value: unknown, label: string): string | undefined {
    if (isEmpty(value)) return undefined;
    const text = String(readValue(`'${label}'`, 'string', value)).trim();
    if (text !== 'null') return text;
    throw misfit(`'${label}'`, value, 'a value of its own');
  }

  #fail(label: string, quoted = true): never {
    const name = quoted ? `'${label}'` : label;
    throw new InputProblem(
      `${name} is empty`,
      `Fill in ${quoted ? name : 'each of them'}, or check that the expression gives a value for this item.${adviceOnNames(this.context.getInputData()[this.itemIndex]?.json)}`,
    );
  }
}

/** What is wrong with the columns of a file, where an expression finds nothing by their names. */
export function adviceOnNames(json: IDataObject = {}): string {
  const names = Object.keys(json);
  const [first = ''] = names;
  if (names.length === 1 && /[;\t]/.test(first))
    return ` All columns of the input are one, '${shortened(first)}': set the 'Delimiter' in the node that reads the file.`;
  return first.startsWith('\uFEFF')
    ? ` The name of the first column of the input, '${first.trim()}', begins with an invisible mark, so that no expression finds it: in the node that reads the file, turn on 'Exclude Byte Order Mark (BOM)'.`
    : '';
}

/** A file of a spreadsheet often begins with an invisible mark, which becomes a part of the first column's name. */
function withTrimmedNames(json: IDataObject = {}): Record<string, unknown> {
  const trimmed = Object.keys(json).map((name) => name.trim());
  const isOnly = (name: string): boolean => trimmed.filter((one) => one === name).length === 1;
  const entries = Object.entries(json).map(([name, value]): [string, unknown] => {
    const plain = name.trim();
    return [plain !== name && isOnly(plain) ? plain : name, value];
  });
  return Object.fromEntries(entries);
}

/** What stands in double braces in a text with expressions, braces and all. */
function partsOf(stored: string): string[] {
  return [...stored.matchAll(/\{\{.*?\}\}/gs)].map(([part]) => part);
}

function isExpression(stored: unknown): stored is string {
  return typeof stored === 'string' && stored.startsWith('=');
}

/** Whether an expression does more than take one value as it is, and does not itself say the word. */
function isComposed(stored: unknown, word: string): boolean {
  return isExpression(stored) && !TAKEN_AS_IT_IS.test(stored) && !saysWord(stored, word);
}
