import { isRecord, isRoundedNumber } from 'audience-core/internal';
import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';
import { InputProblem, type Subject } from '../problem.js';
import type { ProblemCode } from '../messages/problems.js';
import type { Note } from '../messages/text.js';
import { isDate } from '../dates.js';
import type { Form } from './labels.js';

/** What a field is for: an identifier tells one from another, so no part of it may be empty; `json` is a JSON text. */
export type Use = 'text' | 'identifier' | 'json';

type Part = ReturnType<typeof ExpressionParser.splitExpression>[number];

/** Whether a field of the node is set to 'Expression'. */
export function isExpression(stored: unknown): stored is string {
  return typeof stored === 'string' && stored.startsWith('=');
}

const WHOLE_ITEM = /(\$json|\.json)\b(?!\s*(\?\.|[.[(]))/;

/** Whether an expression stands for a whole item: nobody sees in the form which fields it has. */
export function isWholeItem(stored: unknown): boolean {
  return isExpression(stored) && WHOLE_ITEM.test(stored);
}

/** Evaluates the fields of one item, each part by itself, and notes a field that has an empty one. */
export class Expressions {
  constructor(
    readonly context: IExecuteFunctions,
    readonly itemIndex: number,
    readonly form: Form,
    protected readonly note: (note: Note) => void,
  ) {}

  /**
   * The value of what stands in a field. A field that is one expression gives its value as it is; else the parts are
   * joined to a text.
   */
  evaluate(stored: unknown, subject: Subject, use: Use): unknown {
    if (isExpression(stored)) return this.#join(stored.slice(1), subject, use);
    if (Array.isArray(stored)) return stored.map((inner) => this.evaluate(inner, subject, use));
    if (!isRecord(stored) || Object.getPrototypeOf(stored) !== Object.prototype) return stored;
    const entries = Object.entries(stored);
    return Object.fromEntries(entries.map(([name, inner]) => [name, this.evaluate(inner, subject, use)]));
  }

  #join(expression: string, subject: Subject, use: Use): unknown {
    const parts = ExpressionParser.splitExpression(expression).filter(({ text }) => text !== '');
    const [only] = parts;
    if (parts.length === 1 && only?.type === 'code') return this.#whole(only, subject, use);
    return parts.map((part) => (part.type === 'text' ? part.text : this.#part(part, subject, use))).join('');
  }

  #whole(part: Part, subject: Subject, use: Use): unknown {
    const value = this.#valueOf(part, subject);
    const isSwitch = use === 'identifier' && typeof value === 'boolean';
    const code = brokenValue(value) ?? (isSwitch ? 'boolean-in-text' : undefined);
    if (code !== undefined) throw new InputProblem({ code, subject, part: part.text, given: value });
    return value;
  }

  #part(part: Part, subject: Subject, use: Use): string {
    const value = this.#valueOf(part, subject);
    if (value === undefined || value === null)
      throw new InputProblem({ code: 'no-value', subject, part: part.text });
    // n8n writes a value among other parts of a text as a list of one does.
    const list: unknown[] = [value];
    const text = list.join('');
    const isEmpty = text.trim() === '';
    const isLack = isEmpty && use === 'identifier';
    const code = brokenValue(value) ?? partProblem(value, use) ?? (isLack ? 'empty-part' : undefined);
    if (code !== undefined) throw new InputProblem({ code, subject, part: part.text, given: value });
    if (isEmpty) this.note({ code: 'empty-part', subject });
    return text;
  }

  #valueOf(part: Part, subject: Subject): unknown {
    let reason: unknown;
    try {
      return this.context.evaluateExpression(ExpressionParser.joinExpression([part]), this.itemIndex);
    } catch (error) {
      reason = error;
    }
    const given = reason instanceof Error ? reason.message : String(reason);
    throw new InputProblem({ code: 'expression-fails', subject, part: part.text, given });
  }
}

/** What n8n writes as a text that says something: texts, numbers, dates, and lists of them. */
function partProblem(value: unknown, use: Use): ProblemCode | undefined {
  // JSON has both.
  if (typeof value === 'boolean') return use === 'json' ? undefined : 'boolean-in-text';
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object' || isDate(one));
  return typeof value === 'object' && !isDate(value) && !isPlainList ? 'object-in-text' : undefined;
}

function brokenValue(value: unknown): ProblemCode | undefined {
  if (isDate(value)) return Number.isNaN(Number(value)) ? 'invalid-date' : undefined;
  // What a date that is not valid is formatted to.
  if (value === 'Invalid DateTime' || value === 'Invalid Date') return 'invalid-date';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'not-a-number';
  if (typeof value === 'function' || typeof value === 'symbol') return 'object-in-text';
  return isRoundedNumber(value) ? 'rounded-number' : undefined;
}
