import { isRecord } from 'audience-core/internal';
import type { IExecuteFunctions } from 'n8n-workflow';
import { failedExpression, InputProblem } from '../helpers/errors.js';
import { shortened, slip } from '../helpers/values.js';
import { adviceOnNames, columnsOf, namesOfInput } from './input-names.js';
import {
  asText,
  isBraceLeft,
  isExpression,
  missingIn,
  missingInIdentifier,
  sayMissing,
} from './missing-values.js';
import type { IdentifierOf } from './missing-values.js';

/** `$json.name` and `$json['name']`, and not the call of a method. */
const COLUMN = /\$json\??\.([\w$]+)\b(?!\s*\()|\$json\[['"](.+?)['"]\]/g;

/** What an identifier tells from others. */
export type Named = Exclude<IdentifierOf, 'key'>;

/**
 * Evaluates the node's expressions for one item, each by itself, with its value taken as it is: n8n would turn a date
 * inside of an object into local text, and convert values by a schema that may be old.
 */
export class ItemExpressions {
  constructor(
    readonly context: IExecuteFunctions,
    readonly itemIndex: number,
  ) {}

  /**
   * The value of what stands in the node, with the expressions inside of it.
   *
   * @throws InputProblem for an expression that fails, and one that puts a text together in which a value is missing.
   */
  evaluate(stored: unknown, subject: string, use: 'text' | 'data' = 'text'): unknown {
    if (isExpression(stored)) {
      const value = this.valueOf(stored, subject);
      const [missing] = missingIn(stored, value, use, this.valueOfText);
      if (missing !== undefined) {
        throw slip(subject, asText(value) ?? '', missing, this.adviceOnColumnsIn(`=${missing.source}`));
      }
      return value;
    }
    if (Array.isArray(stored)) return stored.map((inner) => this.evaluate(inner, subject));
    if (!isRecord(stored) || Object.getPrototypeOf(stored) !== Object.prototype) return stored;
    return Object.fromEntries(
      Object.entries(stored).map(([key, inner]) => [key, this.evaluate(inner, subject)]),
    );
  }

  /**
   * The value of an expression, whatever it lacks.
   *
   * @throws InputProblem for one that fails, and one with a sign too many.
   */
  valueOf(expression: string, subject: string): unknown {
    if (/^=\s*=\s*\{\{((?!\}\}).)*\}\}\s*$/s.test(expression)) {
      throw new InputProblem(
        `${subject} begins with '=' in front of its expression`,
        "Remove the '=' before the braces: the field is set to 'Expression' already, so that it would be a part of the value.",
      );
    }
    let value: unknown;
    try {
      value = this.context.evaluateExpression(expression.slice(1), this.itemIndex);
    } catch (error) {
      throw failedExpression(
        subject,
        error,
        /\$json\.\w+ +\w/.test(expression)
          ? "A name with a blank is written in brackets: {{ $json['First name'] }}."
          : isBraceLeft(expression)
            ? "n8n ends an expression at the first '}}': put a blank between the braces of an object, as in {{ { a: { b: 1 } } }}."
            : undefined,
      );
    }
    if (!isBraceLeft(expression)) return value;
    throw new InputProblem(
      `${subject} has '}}' left over behind its expression`,
      'An expression stands in two braces on each side, such as {{ $json.name }}. Remove those that are too many.',
    );
  }

  /** The value of an expression; nothing of one that fails. */
  readonly valueOfText = (text: string): unknown => {
    try {
      return this.context.evaluateExpression(text, this.itemIndex);
    } catch {
      return undefined;
    }
  };

  /** @throws InputProblem for a text that tells one from the others, and in which a value is missing. */
  whole(text: string, stored: unknown, subject: string, of: Named): string {
    const missing = missingInIdentifier(stored, text, of, this.valueOfText);
    if (missing.length === 0) return text;
    throw new InputProblem(
      `${subject} is '${shortened(text)}', ${sayMissing(missing)}`,
      of === 'person'
        ? 'Correct the expression: two people with the same one would become one contact. Items without a value are best left out by a Filter node before this one.'
        : "Correct the expression. A part that may be empty can say so: {{ $json.part ?? '' }}.",
    );
  }

  /** What is wrong with the names of the input's fields, as a sentence; empty text where they look right. */
  get adviceOnNames(): string {
    return adviceOnNames(this.context.getInputData()[this.itemIndex]?.json);
  }

  /** The same, and which fields the input has. */
  get adviceOnColumns(): string {
    return this.adviceOnNames || namesOfInput(this.#columns);
  }

  /** The same where an expression asks for a column that the input does not have, as far as its first items show. */
  adviceOnColumnsIn(stored: unknown): string {
    if (!isExpression(stored)) return '';
    const columns = this.#columns;
    const names = [...stored.matchAll(COLUMN)].map(([, plain, quoted]) => plain ?? quoted ?? '');
    return names.some((name) => !columns.has(name)) ? this.adviceOnColumns : '';
  }

  /** The columns of the first items, and of this one. */
  get #columns(): ReadonlySet<string> {
    const items = this.context.getInputData();
    return new Set([...columnsOf(items), ...Object.keys(items[this.itemIndex]?.json ?? {})]);
  }
}
