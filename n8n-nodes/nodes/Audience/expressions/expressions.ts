import { isRecord, isRoundedNumber } from 'audience-core/internal';
import { ExpressionParser } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import { explain, InputProblem } from '../messages/errors.js';
import { asPart, holds, inBraces, shortened } from '../messages/text.js';
import { isDate } from '../values/dates.js';

/** What a field is for: an identifier tells one from another, so no part of it may be empty; `data` is JSON. */
export type Use = 'text' | 'identifier' | 'data';

type Part = ReturnType<typeof ExpressionParser.splitExpression>[number];

/** What JavaScript writes for a value that is missing. */
const MISSING_WORD = /\b(undefined|null|NaN)\b|\[object |Invalid Date/;

/** Whether a field of the node is set to 'Expression'. */
export function isExpression(stored: unknown): stored is string {
  return typeof stored === 'string' && stored.startsWith('=');
}

/** Evaluates the fields of one item, each part by itself; `noteEmpty` is called for a field that has an empty part. */
export class Expressions {
  constructor(
    readonly context: IExecuteFunctions,
    readonly itemIndex: number,
    protected readonly noteEmpty: (subject: string) => void,
  ) {}

  /**
   * The value of a stored text, with its expressions evaluated. A field that is one expression gives its
   * value as it is; else the parts are joined to a text.
   *
   * @param subject names the field in messages.
   * @throws InputProblem for an expression that fails, and for a part that has no value.
   */
  evaluate(stored: unknown, subject: string, use: Use = 'text'): unknown {
    if (isExpression(stored)) return this.#join(stored.slice(1), subject, use);
    if (Array.isArray(stored)) return stored.map((inner) => this.evaluate(inner, subject, use));
    if (!isRecord(stored) || Object.getPrototypeOf(stored) !== Object.prototype) return stored;
    const entries = Object.entries(stored);
    return Object.fromEntries(entries.map(([name, inner]) => [name, this.evaluate(inner, subject, use)]));
  }

  /** @throws InputProblem for a computed text with a word for a missing value. */
  checkWords(text: string, subject: string): void {
    const [word] = MISSING_WORD.exec(text) ?? [];
    const { json = {} } = this.context.getInputData()[this.itemIndex] ?? {};
    if (word === undefined || holds(json, word.trim())) return;
    throw new InputProblem(`${subject} is '${shortened(text)}', in which a value is missing`, CHECK);
  }

  #join(expression: string, subject: string, use: Use): unknown {
    const parts = ExpressionParser.splitExpression(expression).filter(({ text }) => text !== '');
    assertClosed(parts, subject);
    const [only] = parts;
    if (parts.length === 1 && only?.type === 'code') return this.#whole(only, subject, use);
    return parts.map((part) => (part.type === 'text' ? part.text : this.#part(part, subject, use))).join('');
  }

  #whole(part: Part, subject: string, use: Use): unknown {
    const value = this.#valueOf(part, subject);
    const problem = brokenValue(value);
    if (problem !== undefined) throw noValue(subject, inBraces(part.text), problem);
    if (typeof value === 'string' && use !== 'data') this.checkWords(value, subject);
    return value;
  }

  #part(part: Part, subject: string, use: Use): string {
    const value = this.#valueOf(part, subject);
    const problem = brokenValue(value) ?? partProblem(value, use);
    if (problem !== undefined) throw noValue(subject, inBraces(part.text), problem);
    const text = asPart(value);
    if (text.trim() === '') this.noteEmpty(subject);
    if (use !== 'data') this.checkWords(text, subject);
    return text;
  }

  #valueOf(part: Part, subject: string): unknown {
    let reason: unknown;
    try {
      return this.context.evaluateExpression(ExpressionParser.joinExpression([part]), this.itemIndex);
    } catch (error) {
      reason = error;
    }
    const { message, advice } = explain(reason);
    const what = `${subject} cannot be filled in: ${inBraces(part.text)} fails (${message})`;
    throw new InputProblem(what, advice === '' ? 'Correct the expression.' : advice);
  }
}

const CHECK = "Check the names in the expression. Add ?? '' to a value that may be empty.";

/** What is wrong with a part, as the end of a sentence about it, and what to do. */
type Problem = readonly [what: string, advice: string];

const MISSING: Problem = ['has no value', CHECK];

export function noValue(subject: string, part: string, [what, advice] = MISSING): InputProblem {
  return new InputProblem(`${subject} cannot be filled in: ${part} ${what}`, advice);
}

function partProblem(value: unknown, use: Use): Problem | undefined {
  if (value === undefined || value === null) return MISSING;
  if (value === false && use !== 'data') return ['is false', "Use a condition with two texts: a ? 'b' : ''."];
  if (isDate(value)) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || isDate(one))) return undefined;
  if (typeof value === 'object') return ['is an object', 'Use one of its fields.'];
  return use === 'identifier' && asPart(value).trim() === '' ? EMPTY_PART : undefined;
}

export const EMPTY_PART: Problem = ['is empty', 'Correct it, or remove the item with a Filter node.'];

function brokenValue(value: unknown): Problem | undefined {
  const advice = 'Correct the expression.';
  if (isDate(value)) return Number.isNaN(Number(value)) ? ['is no valid date', advice] : undefined;
  if (typeof value === 'number' && !Number.isFinite(value)) return ['is not a number', advice];
  return isRoundedNumber(value)
    ? ['is a number of more than 15 digits, which loses some', 'Give it as text.']
    : undefined;
}

/** n8n ends an expression at the first `}}`; what is left over of an object would go out as text. */
function assertClosed(parts: readonly Part[], subject: string): void {
  const texts = parts.map(({ type, text }) => (type === 'text' ? text : ''));
  if (!texts.slice(1).some((text) => /^\s*\}/.test(text)) || texts.some((text) => text.includes('{'))) return;
  throw new InputProblem(
    `${subject} has a brace left over behind its expression`,
    "Remove it. n8n ends an expression at the first '}}', so put a blank between the braces of an object.",
  );
}
