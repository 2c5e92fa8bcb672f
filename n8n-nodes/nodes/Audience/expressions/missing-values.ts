import { isRecord } from 'audience-core/internal';
import * as z from 'zod/mini';
import { inspect, literalOf } from './inspection.js';
import type { Inspection, Slot } from './inspection.js';

/**
 * What a text is for. Data may have texts of nothing, which are left out. The name of a thing must not lack a part,
 * unless its expression says that it may; with nothing of the input left in it, what tells a person from others would be
 * the same for all; of a key every part counts.
 */
export type TextUse = 'text' | 'data' | IdentifierOf;
export type IdentifierOf = 'thing' | 'person' | 'key';

/** A value that is missing in a text. */
export interface Missing {
  /** The value as the expression writes it; nothing where the expression could not be looked into. */
  readonly source: string | undefined;
  /** Whether there is an object, of which JavaScript writes no more than that. */
  readonly isObject: boolean;
  /** Whether there is a number that was too long for JavaScript, which has put others in place of its last digits. */
  readonly isRounded?: true;
}

/** A value of the input, of which nothing is made: what a method or a choice gives may be meant to be empty. */
const PLAIN = /^\$(\((?:"[^"]*"|'[^']*')\))?(\??\.?[\w$]+|\??\.?\[(?:"[^"]*"|'[^']*'|\d+)\])*$/;

const foundSchema = z.array(z.object({ index: z.number(), word: z.string() }));

/** What JavaScript writes of a value that is missing; prose may hold it, too. */
const MISSING_WORD = /undefined|null|NaN|Invalid Date|\[object|\[native code\]|=>/;

/** What comes of a calculation with a value that is missing, and is written everywhere. */
const FAILED = /^(NaN|-?Infinity|Invalid Date)/;

/** Whether a field of the node is set to 'Expression'. */
export function isExpression(stored: unknown): stored is string {
  return typeof stored === 'string' && stored.startsWith('=');
}

/** The same, where it takes something from elsewhere: a text that a person typed may stand in such a field. */
export function isComputed(stored: unknown): stored is string {
  return isExpression(stored) && stored.includes('{{');
}

/** Whether braces are left over behind an expression: `{{ $json.name }}}}`. */
export function isBraceLeft(stored: string): boolean {
  const literal = stored.includes('}}') ? literalOf(stored) : '';
  return /\}\}\s*$/.test(literal) && !literal.includes('{');
}

/**
 * Values that are missing in a text that an expression puts together: `$json.last` in `{{ $json.first + $json.last }}`
 * for an item that has none.
 *
 * @param value what the expression has given: a text, or an object or list that may hold one.
 * @param evaluate evaluates an expression as n8n does.
 * @returns the values as the expression writes them; none for an expression that puts nothing together.
 */
export function missingIn(
  stored: unknown,
  value: unknown,
  use: TextUse,
  evaluate: (expression: string) => unknown,
): Missing[] {
  const inspection = isExpression(stored) ? inspectionOf(stored) : undefined;
  // What puts no text together is not written out either: it may be a whole item.
  const text = inspection === undefined ? undefined : asText(value);
  if (inspection === undefined || text === undefined) return [];
  const { slots, literal, expression } = inspection;
  const saysSo = MISSING_WORD.test(text);
  // 'Hi ,': nothing of the input is in it.
  const isBare = use === 'text' && text === literal && text.trim() !== '';
  const isIdentifier = use !== 'text' && use !== 'data';
  if (!isIdentifier && !saysSo && !isBare && !slots.some(hides)) return [];
  const found = foundSchema.safeParse(evaluate(expression)).data;
  // The expression could not be looked into: what it gave has to tell.
  if (found === undefined) return saysSo ? [A_PART] : [];
  const isMissing = (index: number): boolean => found.some((one) => one.index === index);
  const given = slots.filter(
    ({ isFilled, kind }, index) => !isFilled && kind !== 'list' && !isMissing(index),
  );
  const missing = found.flatMap(({ index, word }) => {
    const slot = slots[index];
    if (slot === undefined) return [];
    // What the expression does not use may lack a value.
    if (
      !isIdentifier &&
      slot.mayBeUnused &&
      (word === '' || !text.toLowerCase().includes(word.toLowerCase()))
    )
      return [];
    const isNothingLeft =
      isIdentifier && use !== 'thing' && slot.emptyBy === 'fallback' && given.length === 0;
    const isBareSum =
      use === 'text' &&
      slot.kind === 'joined' &&
      PLAIN.test(slot.source) &&
      !slot.hasDefault &&
      !slot.isInFunction &&
      given.length === 0 &&
      text.trim() !== '';
    const lacksIt = isNothingLeft || lacks(slot, word, use, isBare || isBareSum, text);
    return lacksIt ? [{ source: slot.source, isObject: word.startsWith('[object') }] : [];
  });
  return missing.filter(({ source }, index) => missing.findIndex((one) => one.source === source) === index);
}

const A_PART: Missing = { source: undefined, isObject: false };

/** That values are missing in a text, as a part of a sentence. */
export function sayMissing(missing: readonly Missing[]): string {
  const said = missing.map(
    ({ source = 'a part', isObject, isRounded }) =>
      `${source} ${isObject ? 'is an object, of which one field is wanted' : isRounded ? ROUNDED : 'has no value'}`,
  );
  return `in which ${said.join(' and ').replaceAll(' has no value and ', ' and ')}`;
}

const ROUNDED =
  'is a number of more than 15 digits, of which the last are not those that were sent: it has to come as text';

/** A text, and an object or list as JSON; nothing for other values. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : undefined;
}

/**
 * The same for a text that tells a person or an email from others, in which nothing of the input may be left, and a
 * number that is not the one that was sent would be somebody else's.
 */
export function missingInIdentifier(
  stored: unknown,
  text: string,
  use: IdentifierOf,
  evaluate: (expression: string) => unknown,
): Missing[] {
  const missing = missingIn(stored, text, use, evaluate);
  if (!isExpression(stored)) return missing;
  const rounded = /\d{16}/.test(text) ? roundedIn(text, evaluate('{{ JSON.stringify($json) }}')) : undefined;
  if (rounded !== undefined) return [{ source: rounded, isObject: false, isRounded: true }];
  if (missing.length > 0 || inspectionOf(stored) === undefined) return missing;
  const isLeftOver = stored.includes(text) && /^[-_.:|/#,;=+~]|[-_.:|/#,;=+~]$/.test(text);
  return isLeftOver ? [A_PART] : [];
}

/** A number of the input that stands in a text, and is too long for JavaScript. */
function roundedIn(text: string, input: unknown): string | undefined {
  const tokens = typeof input === 'string' ? (input.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g) ?? []) : [];
  return tokens.find(
    (token) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) && text.includes(token),
  );
}

/** Whether what is missing in a slot may not be seen in the text. */
function hides({ kind, source, isInLink }: Slot): boolean {
  return kind !== 'part' || isInLink || !/^[$\w.[\]'"]*$/.test(source);
}

/** @param word what is there in place of a value; empty for a text of nothing. */
function lacks(
  { kind, emptyBy, isFilled, isInLink }: Slot,
  word: string,
  use: TextUse,
  isBare: boolean,
  text: string,
): boolean {
  if (kind === 'list') return use === 'text' && emptyBy === undefined;
  if (kind === 'replacing') return word !== '' && text.includes(word);
  if (kind === 'listed') {
    if (FAILED.test(word)) return true;
    // JSON leaves a field out that has no value.
    if (use === 'data') return false;
    if (use === 'text') return word === 'undefined' && text.includes(word);
    return emptyBy === undefined && !isFilled && ['', 'undefined', 'null'].includes(word);
  }
  const isBlank = word === '' || (kind === 'part' && ['undefined', 'null'].includes(word));
  const isIdentifier = use !== 'text' && use !== 'data';
  if (!isIdentifier && isBlank) return (isInLink || isBare) && emptyBy === undefined;
  if (!isBlank) return true;
  return !isFilled && emptyBy !== 'condition' && (use === 'key' || emptyBy !== 'fallback');
}

/** Those of the expressions that were seen last: a node has few. */
const inspections = new Map<string, Inspection | undefined>();
const KEPT_INSPECTIONS = 200;

function inspectionOf(stored: string): Inspection | undefined {
  if (!inspections.has(stored)) {
    if (inspections.size >= KEPT_INSPECTIONS) inspections.clear();
    inspections.set(stored, inspect(stored));
  }
  return inspections.get(stored);
}
