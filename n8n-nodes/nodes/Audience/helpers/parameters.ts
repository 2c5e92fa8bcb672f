import { isRecord, parseValue } from 'audience-core/internal';
import type { IExecuteFunctions } from 'n8n-workflow';
import { withTrimmedNames } from '../expressions/input-names.js';
import { ItemExpressions } from '../expressions/item-expressions.js';
import type { Named } from '../expressions/item-expressions.js';
import { isComputed, isExpression, missingInIdentifier } from '../expressions/missing-values.js';
import type { Missing } from '../expressions/missing-values.js';
import { InputProblem } from './errors.js';
import type { Form } from './form.js';
import { isEmpty, misfit, readIdentifier, readValue } from './values.js';

/** Stands for a parameter that the node does not have; no person writes it. */
const UNSET = 'audience:unset';

/** What the node has for one parameter. */
export interface GivenValue {
  readonly value: unknown;
  /** Whether it stands in the node at all: an option that was not added does not. */
  readonly isSet: boolean;
  readonly byExpression: boolean;
  /** What stands there: an expression as it is written. */
  readonly stored: unknown;
}

/** Values of a resource mapper. */
export interface MappedValues {
  /** The fields that have one, or an empty one. */
  readonly names: readonly string[];
  /** Whether they are the fields of the input item, which may hold anything. */
  readonly automatic: boolean;
  /** Whether the value comes from an expression. */
  readonly isByExpression: (name: string) => boolean;
  /** Whether a person has typed the value, as it is. */
  readonly isTyped: (name: string) => boolean;
  /** As `adviceOnColumnsIn`, of the expression of a field. */
  readonly adviceOnColumnsOf: (name: string) => string;
  /**
   * The value of a field; an empty one for a field that has none.
   *
   * @param subject names the field in messages.
   * @throws InputProblem as `given`, and for an identifier as `identifier`.
   */
  readonly read: (name: string, subject: string, isIdentifier?: boolean) => unknown;
  /** Whether the person can see the field in the form, where that is known. */
  readonly isHidden: (name: string) => boolean;
}

/**
 * Reads the node's parameters for one item: `text`, `flag`, `number`, `choice` and `ids` by their kinds, `identifier` what
 * tells one from the others, `locator` and `mapped` what n8n's own kinds of fields hold, `given` what the caller reads
 * by itself.
 */
export class Parameters extends ItemExpressions {
  constructor(
    context: IExecuteFunctions,
    itemIndex: number,
    readonly form: Form,
  ) {
    super(context, itemIndex);
  }

  /**
   * The value as it is.
   *
   * @throws InputProblem for an expression that fails, and one that puts a text together in which a value is missing.
   */
  given(name: string, use: 'text' | 'data' = 'text'): GivenValue {
    const stored = this.#stored(name);
    const isSet = stored !== UNSET;
    const value = isSet ? this.evaluate(stored, `'${this.form.label(name)}'`, use) : undefined;
    return { value, isSet, byExpression: isExpression(stored), stored };
  }

  /** As `given`, for a text in which a missing value is looked for in another way. */
  asItIs(name: string): GivenValue {
    const stored = this.#stored(name);
    const isSet = stored !== UNSET;
    const byExpression = isExpression(stored);
    const value = byExpression ? this.valueOf(stored, `'${this.form.label(name)}'`) : stored;
    return { value: isSet ? value : undefined, isSet, byExpression, stored };
  }

  /** Values that are missing in a key, and without which it could be that of another email: `order-{{ $json.no }}`. */
  missingInKey(name: string, key: string): Missing[] {
    return missingInIdentifier(this.#stored(name), key, 'key', this.valueOfText);
  }

  /** Text, `undefined` where it was left empty. A number counts as text, as ids often come as numbers. */
  text(name: string): string | undefined {
    const { value } = this.given(name);
    return isEmpty(value)
      ? undefined
      : String(readValue(`'${this.form.label(name)}'`, 'string', value)).trim();
  }

  /**
   * Text that tells one from the others, `undefined` where it was left empty.
   *
   * @throws InputProblem where an expression puts it together and a value is missing in it.
   */
  identifier(name: string, of: Named): string | undefined {
    const { value, stored } = this.asItIs(name);
    return this.#identifier(value, stored, this.form.label(name), of);
  }

  /**
   * The same, which must be there.
   *
   * @throws InputProblem as `identifier`, and where it was left empty.
   */
  requiredIdentifier(name: string, of: Named): string {
    return this.identifier(name, of) ?? this.#fail(name);
  }

  /** A switch; off where it is not set. What can be read in one way only is taken: 'TRUE', 1. */
  flag(name: string): boolean {
    const given = this.#filled(name);
    return (
      given !== undefined && readValue(`'${this.form.label(name)}'`, 'boolean', given, () => '') === true
    );
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

  /**
   * Mode and value of a resource locator.
   *
   * @throws InputProblem as `requiredIdentifier`.
   */
  locator(name: string, of: Named): { mode: string | undefined; value: string } {
    const { value: given, byExpression, stored } = this.asItIs(name);
    const label = this.form.label(name);
    const isLocator = isRecord(given) && ('__rl' in given || 'mode' in given);
    const mode = isLocator && typeof given['mode'] === 'string' ? given['mode'] : undefined;
    const inside = isLocator ? given['value'] : given;
    // What an expression gave is data.
    const isText = byExpression || !isExpression(inside);
    const value = isText ? inside : this.valueOf(inside, `'${label}'`);
    const text = this.#identifier(value, byExpression ? stored : inside, label, of);
    return { mode, value: text ?? this.#fail(name) };
  }

  /** Values of a resource mapper. */
  mapped(name: string): MappedValues {
    const stored = this.#stored(name);
    const subject = `'${this.form.label(name)}'`;
    const given = isExpression(stored) ? this.evaluate(stored, subject) : stored;
    const mapper = isRecord(given) ? given : {};
    const automatic = this.evaluate(mapper['mappingMode'], subject) === 'autoMapInputData';
    const isData = isExpression(stored) || isExpression(mapper['value']);
    const values = isExpression(mapper['value']) ? this.evaluate(mapper['value'], subject) : mapper['value'];
    if (isData && !isRecord(values)) throw misfit(subject, values, 'an object of names and values');
    const written = isRecord(values) ? values : {};
    const input = automatic ? withTrimmedNames(this.context.getInputData()[this.itemIndex]?.json) : {};
    const schema = Array.isArray(mapper['schema']) ? mapper['schema'].filter(isRecord) : [];
    const shown = new Set(schema.filter(({ removed }) => removed !== true).map(({ id }) => id));
    return {
      names: Object.keys(automatic ? input : written),
      automatic,
      read: (field, what, isIdentifier = false) => {
        if (automatic) return own(input, field);
        // What an expression gave is data: a text in it that begins with '=' is no expression.
        if (isData) return own(written, field);
        const inside = own(written, field);
        if (!isIdentifier || !isExpression(inside)) return this.evaluate(inside, what);
        const value = this.valueOf(inside, what);
        return typeof value === 'string' ? this.whole(value, inside, what, 'person') : value;
      },
      adviceOnColumnsOf: (field) => this.adviceOnColumnsIn(own(written, field)),
      isByExpression: (field) => isData || isExpression(own(written, field)),
      isTyped: (field) => !automatic && !isData && !isComputed(own(written, field)),
      isHidden: (field) => shown.size > 0 && !shown.has(field),
    };
  }

  /** Whether the field has an expression that does not say by itself what it gives in place of nothing. */
  mustGiveSomething(name: string): boolean {
    const stored = this.#stored(name);
    return isExpression(stored) && !/\?\?|\|\||\?.*:/s.test(stored);
  }

  /** Advice on the names of the input's fields, where these fields of the form gave nothing. */
  adviceOnNothing(...names: string[]): string {
    const isByExpression = names
      .map((name) => this.#stored(name))
      .some((stored) => isExpression(isRecord(stored) ? stored['value'] : stored));
    return isByExpression ? this.adviceOnColumns : this.adviceOnNames;
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
    const texts = entries.map((entry) =>
      isEmpty(entry) ? this.#fail(name, `An entry of '${label}'`) : readIdentifier(`'${label}'`, entry),
    );
    return [...new Set(texts)];
  }

  /** What stands in the node: expressions as they are written. */
  #stored(name: string): unknown {
    return this.context.getNodeParameter(name, this.itemIndex, UNSET, { rawExpressions: true });
  }

  #identifier(value: unknown, stored: unknown, label: string, of: Named): string | undefined {
    if (isEmpty(value)) return undefined;
    const subject = `'${label}'`;
    const text = typeof value === 'string' ? this.whole(value, stored, subject, of) : value;
    return readIdentifier(subject, text);
  }

  /** What is there; nothing where the field was left alone. */
  #filled(name: string): unknown {
    const { value, isSet, byExpression } = this.given(name);
    if (!isSet || (isEmpty(value) && !byExpression)) return undefined;
    return isEmpty(value) ? this.#fail(name) : value;
  }

  #fail(name: string, entry?: string): never {
    const label = `'${this.form.label(name)}'`;
    throw new InputProblem(
      `${entry ?? label} is empty`,
      `Fill in ${entry === undefined ? label : 'each of them'}, or check that the expression gives a value for this item.${this.adviceOnNothing(name)}`,
    );
  }
}

/** What a field of that very name has. */
function own(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
