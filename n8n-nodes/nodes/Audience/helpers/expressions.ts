/** An expression that takes one value of the input, or of a model: `={{ $json.name }}`. */
const TAKEN_AS_IT_IS =
  /^=\s*\{\{\s*(\$(json|input|item|node|\()[^+`{}]*|(\/\*[^*]*\*\/\s*)?\$fromAI\([^{}]*\)\s*)\}\}\s*$/;

/** A value of the input in an expression: two of them are put together, unless one stands in for the other. */
const REFERENCE = /\$(?:json|input|item|node)\b|\$\(/;
const ALTERNATIVE = /\|\||\?\?|[?:](?!\.)/;

/** An expression of n8n in a field that is not set to 'Expression': it would go out as it stands. */
const NOT_EVALUATED =
  /\{\{[^{}$]*\$[^{}]*\}\}|^\s*(?:\{\s*)?\$(json|node|input|item|now|today)(\.|\[|\(|\s*\}?\s*$)/;

/** What JavaScript makes of a value that is missing, inside of a text that an expression puts together. */
const HOLE = /undefined|\bnull|null\b|\bNaN|NaN\b|Invalid ?[Dd]ate(Time)?|\[object|\[native code\]/g;

/** The same where it is all that there is. */
const ALL_HOLE = /^(undefined|null|NaN|Invalid ?Date(Time)?)$|\[object|\[native code\]/i;

const EMPTY_AT_AN_END = /^[-_.:|/#,;=+~]|[-_.:|/#,;=+~]$/;
const EMPTY_INSIDE = /([-_.:|#,;=+~])\1/;

/** Whether a field of the node is set to 'Expression'. */
export function isExpression(stored: unknown): stored is string {
  return typeof stored === 'string' && stored.startsWith('=');
}

/** Whether it is an expression that does more than take one value as it is. */
export function isComposed(stored: unknown): stored is string {
  if (!isExpression(stored)) return false;
  return (
    !TAKEN_AS_IT_IS.test(stored) || stored.split(ALTERNATIVE).some((one) => one.split(REFERENCE).length > 2)
  );
}

/** Whether a text is an expression that stands in a field that is set to 'Fixed'. */
export function isNotEvaluated(text: string): boolean {
  return text.includes('$') && NOT_EVALUATED.test(text);
}

/** What stands in double braces in a text with expressions, braces and all. */
export function partsOf(stored: string): string[] {
  return [...stored.matchAll(/(?<!\\)\{\{.*?\}\}/gs)].map(([part]) => part);
}

/**
 * Whether a word in a text that an expression has put together stands for a value that is missing, and not for itself:
 * neither the expression says it, nor a field of the input that it names, nor a part that takes one value as it is.
 *
 * @param json the input item.
 * @param valueOf evaluates a part of the expression.
 */
export function hasHole(
  stored: string,
  text: string,
  json: unknown,
  valueOf: (part: string) => unknown,
): boolean {
  if (wordsIn(text).length === 0 || !isComposed(stored) || isJson(text)) return false;
  const written = literalsOf(stored);
  const names = /\$json(?![\w.[])/.test(stored) ? () => true : (name: string) => isNamed(stored, name);
  const rest = partsOf(stored)
    .flatMap((part) => {
      const value = valueOf(part);
      if (typeof value !== 'string' || wordsIn(value).length === 0) return [];
      return isComposed(`=${part}`) && !isJson(value) ? [] : [value];
    })
    .reduce((left, value) => left.replaceAll(value, ' '), text);
  return wordsIn(rest).some((word) => !written.includes(word) && !fieldsSay(json, word, names));
}

/**
 * What is wrong with a text that tells one email from the others: a value that is missing in it makes one of two. The end
 * of a sentence, or `undefined`.
 *
 * @param stored what stands in the node.
 * @param missing parts of its expression that have no value.
 */
export function gapInKey(text: string, stored: unknown, missing: readonly string[]): string | undefined {
  if (missing.length > 0) return haveNoValue(missing);
  const visible = text.replaceAll(/\p{Cf}/gu, '').trim();
  if (isNotEvaluated(visible)) return "an expression that was not evaluated: set the field to 'Expression'";
  const isTaken = isExpression(stored) && !isComposed(stored);
  const isHole = isTaken ? ALL_HOLE.test(visible) : wordsIn(visible).length > 0;
  if (isHole) return 'in which a value is missing';
  // What the input itself gives may look as it likes.
  if (isTaken) return undefined;
  if (EMPTY_AT_AN_END.test(visible)) return AT_AN_END;
  return EMPTY_INSIDE.test(visible) ? 'in which a value is missing in the middle' : undefined;
}

/**
 * The same of a text that tells one person from the others. Here a person may have any id: what its own text, or a part
 * that may be empty by its own words, gives is no gap.
 */
export function gapInIdentifier(
  text: string,
  stored: string,
  missing: readonly string[],
): string | undefined {
  const unmeant = missing.filter((part) => !/''|""/.test(part));
  if (unmeant.length > 0) return haveNoValue(unmeant);
  return EMPTY_AT_AN_END.test(text) && stored.includes(text) ? AT_AN_END : undefined;
}

const AT_AN_END = 'in which a value is missing at one end';

function haveNoValue(parts: readonly string[]): string {
  return `in which ${parts.join(' and ')} has no value`;
}

function wordsIn(text: string): string[] {
  return [...text.matchAll(HOLE)].map(([word]) => word);
}

/** What an expression writes itself: the text around its parts, and in quotation marks inside of them. */
function literalsOf(stored: string): string {
  const inside = partsOf(stored).flatMap((part) => part.match(/'[^']*'|"[^"]*"|`[^`]*`/g) ?? []);
  const around = partsOf(stored).reduce((text, part) => text.replace(part, ' '), stored);
  return [around, ...inside].join(' ');
}

function isNamed(expression: string, name: string): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(expression);
}

function fieldsSay(json: unknown, word: string, isMeant: (name: string) => boolean): boolean {
  if (typeof json === 'string') return json.includes(word);
  if (typeof json !== 'object' || json === null) return false;
  return Object.entries(json).some(
    ([name, value]) => (Array.isArray(json) || isMeant(name)) && fieldsSay(value, word, isMeant),
  );
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
