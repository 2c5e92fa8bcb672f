import { isRecord } from 'audience-core/contract';
import * as z from 'zod/mini';
import { inspect } from './inspection.js';
import type { Inspection, Slot } from './inspection.js';

/** What a text is for: one that tells a person or an email from others must not lack a part. */
export type TextUse = 'text' | 'identifier' | 'key';

const foundSchema = z.array(z.object({ index: z.number(), word: z.string() }));

/** What JavaScript writes of a value that is missing; prose may hold it, too. */
const MISSING_WORD = /undefined|null|NaN|Invalid Date|\[object|\[native code\]|=>/;

/** What comes of a calculation with a value that is missing, and is written everywhere. */
const FAILED = /^(NaN|-?Infinity|Invalid Date)/;

/** Whether a field of the node is set to 'Expression'. */
export function isExpression(stored: unknown): stored is string {
  return typeof stored === 'string' && stored.startsWith('=');
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
): string[] {
  const inspection = isExpression(stored) ? inspectionOf(stored) : undefined;
  // What puts no text together is not written out either: it may be a whole item.
  const text = inspection === undefined ? undefined : asText(value);
  if (inspection === undefined || text === undefined) return [];
  const { slots, literal, expression } = inspection;
  const saysSo = MISSING_WORD.test(text);
  // 'Hi ,': nothing of the input is in it.
  const isBare = text === literal && text.trim() !== '';
  if (use === 'text' && !saysSo && !isBare && !slots.some(hides)) return [];
  const found = foundSchema.safeParse(evaluate(expression)).data;
  // The expression could not be looked into: what it gave has to tell.
  if (found === undefined) return saysSo ? ['a part'] : [];
  const missing = found.flatMap(({ index, word }) => {
    const slot = slots[index];
    return slot !== undefined && lacks(slot, word, use, isBare, text) ? [slot.source] : [];
  });
  return [...new Set(missing)];
}

/** A text, and an object or list as JSON; nothing for other values. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : undefined;
}

/** The same for a text that tells a person or an email from others, and in which nothing of the input may be left. */
export function missingInIdentity(
  stored: unknown,
  text: string,
  use: 'identifier' | 'key',
  evaluate: (expression: string) => unknown,
): string[] {
  const missing = missingIn(stored, text, use, evaluate);
  if (missing.length > 0 || !isExpression(stored) || inspectionOf(stored) === undefined) return missing;
  const isLeftOver = stored.includes(text) && /^[-_.:|/#,;=+~]|[-_.:|/#,;=+~]$/.test(text);
  return isLeftOver ? ['a part'] : [];
}

/** Whether what is missing in a slot may not be seen in the text. */
function hides({ kind, source }: Slot): boolean {
  return kind !== 'part' || !/^[$\w.[\]'"]*$/.test(source);
}

/** @param word what is there in place of a value; empty for a text of nothing. */
function lacks(
  { kind, emptyBy, isFilled }: Slot,
  word: string,
  use: TextUse,
  isBare: boolean,
  text: string,
): boolean {
  if (kind === 'replacing') return word !== '' && text.includes(word);
  if (kind === 'listed') {
    if (FAILED.test(word)) return true;
    if (use === 'text') return word === 'undefined' && text.includes(word);
    return emptyBy === undefined && !isFilled && ['', 'undefined', 'null'].includes(word);
  }
  const isBlank = word === '' || (kind === 'part' && ['undefined', 'null'].includes(word));
  if (use === 'text' && isBlank) return kind === 'part' && isBare && emptyBy === undefined;
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
