/** An expression that takes one value of the input, or of a model: `={{ $json.name }}`. */
const TAKEN_AS_IT_IS =
  /^=\s*\{\{\s*(\$(json|input|item|node|\()[^+`{}]*|(\/\*[^*]*\*\/\s*)?\$fromAI\([^{}]*\)\s*)\}\}\s*$/;

/** An expression of n8n in a field that is not set to 'Expression': it would go out as it stands. */
const NOT_EVALUATED =
  /\{\{[^{}]*\$[^{}]*\}\}|^\s*\{?\s*\$(json|node|input|item|now|today)(\.|\[|\(|\s*\}?\s*$)/;

/** What JavaScript makes of a value that is missing, inside of a text that an expression puts together. */
const HOLE = /undefined|\bnull|null\b|\bNaN|NaN\b|Invalid ?[Dd]ate(Time)?|\[object|\[native code\]/;

const EMPTY_AT_AN_END = /^[-_.:|/#,;=+~]|[-_.:|/#,;=+~]$/;

/** Whether a field of the node is set to 'Expression'. */
export function isExpression(stored: unknown): stored is string {
  return typeof stored === 'string' && stored.startsWith('=');
}

/** Whether it is an expression that does more than take one value as it is. */
export function isComposed(stored: unknown): stored is string {
  return isExpression(stored) && !TAKEN_AS_IT_IS.test(stored);
}

/** Whether a text is an expression that stands in a field that is set to 'Fixed'. */
export function isNotEvaluated(text: string): boolean {
  return NOT_EVALUATED.test(text);
}

/** What stands in double braces in a text with expressions, braces and all. */
export function partsOf(stored: string): string[] {
  return [...stored.matchAll(/\{\{.*?\}\}/gs)].map(([part]) => part);
}

/** The word in a text that stands for a value that is missing. */
export function holeIn(text: string): string | undefined {
  return HOLE.exec(text)?.[0];
}

/**
 * Whether the fields of the input that an expression names hold the word, so that it may stand for itself.
 *
 * @param json the input item.
 */
export function namedFieldsSay(expression: string, json: unknown, word: string): boolean {
  if (typeof json === 'string') return json.includes(word);
  if (typeof json !== 'object' || json === null) return false;
  return Object.entries(json).some(
    ([name, value]) =>
      (Array.isArray(json) || expression.includes(name)) && namedFieldsSay(expression, value, word),
  );
}

/**
 * What is wrong with a text that tells one person, or one email, from the others: a value that is missing in it makes
 * one of two. The end of a sentence, or `undefined`.
 *
 * @param missing parts of its expression that have no value.
 */
export function gapIn(text: string, missing: readonly string[]): string | undefined {
  if (missing.length > 0) return `in which ${missing.join(' and ')} has no value`;
  const visible = text.replaceAll(/\p{Cf}/gu, '').trim();
  if (isNotEvaluated(visible)) return "an expression that was not evaluated: set the field to 'Expression'";
  if (holeIn(visible) !== undefined) return 'in which a value is missing';
  return EMPTY_AT_AN_END.test(visible) ? 'in which a value is missing at one end' : undefined;
}
