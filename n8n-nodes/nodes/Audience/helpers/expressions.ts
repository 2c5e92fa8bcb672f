import { parseExpressionAt } from 'acorn';
import type { Expression, Node } from 'acorn';
import { simple } from 'acorn-walk';
import { isEmpty } from './values.js';

/** A place in the code of an expression at which a value becomes a part of a text. */
interface Slot {
  readonly start: number;
  readonly end: number;
  /** What its value must not be, as JavaScript writes it. */
  readonly missing: RegExp;
}

const MISSING = /^(undefined|null|NaN|Invalid Date(Time)?|\[object .*)$|\[native code\]/;

/** The same of what is about to be formatted, which may be an object. */
const UNFORMATTABLE = /^(NaN|Invalid Date(Time)?)$/;

/** Methods and functions that put their arguments into a text. */
const TAKES_TEXTS = /^(concat|replace|replaceAll|format|String|encodeURIComponent|encodeURI)$/;
/** Methods that make a text of their object. */
const FORMATS = /^(format|to(Fixed|Precision|String|Format|Locale(Date|Time)?String))$/;

/** Whether a field of the node is set to 'Expression'. */
export function isExpression(stored: unknown): stored is string {
  return typeof stored === 'string' && stored.startsWith('=');
}

/**
 * Values that are missing in a text that an expression puts together: `$json.last` in `{{ $json.first + $json.last }}`
 * for an item that has none. The expression is evaluated once more, changed so that it throws where a value that is
 * missing becomes a part of a text: n8n gives nothing for it then.
 *
 * @param evaluate evaluates a text with expressions as n8n does.
 * @param isMissingEmpty whether a value that is written so is missing if it is an empty text, too.
 * @returns the values as the expression writes them; none for an expression that puts nothing together.
 */
export function missingIn(
  stored: unknown,
  evaluate: (text: string) => unknown,
  isMissingEmpty: (source: string) => boolean = () => false,
): string[] {
  if (!isExpression(stored)) return [];
  const parts = [...stored.matchAll(/(?<!\\)\{\{(.*?)(?<!\\)\}\}/gs)];
  const isAmongOthers = parts[0]?.[0] !== stored.slice(1).trim();
  return parts.flatMap(([, escaped = '']) => {
    const code = escaped.replaceAll(String.raw`\}}`, '}}');
    const slots = slotsOf(code, isAmongOthers);
    const givesNothing = (checks: readonly Slot[]): boolean => {
      const text = withChecks(code, checks, isMissingEmpty).replaceAll('}}', String.raw`\}}`);
      try {
        return isEmpty(evaluate(`{{${text}}}`));
      } catch {
        return true;
      }
    };
    if (slots.length === 0) return [];
    if (givesNothing([])) return isAmongOthers && isMissingEmpty(code) ? [code.trim()] : [];
    if (!givesNothing(slots)) return [];
    const first = slots.find((slot) => givesNothing([slot]));
    return [first === undefined ? code.trim() : code.slice(first.start, first.end).trim()];
  });
}

/** The slots of a code, inner ones first. */
function slotsOf(code: string, isAmongOthers: boolean): Slot[] {
  const slots: Slot[] = [];
  const add = (nodes: readonly (Node | null)[], missing = MISSING): void => {
    for (const node of nodes) {
      if (node === null || node.type === 'SpreadElement') continue;
      slots.push({ start: node.start, end: node.end, missing });
    }
  };
  let expression: Expression;
  try {
    expression = parseExpressionAt(code, 0, { ecmaVersion: 'latest' });
  } catch {
    return [];
  }
  simple(expression, {
    BinaryExpression: ({ operator, left, right }) => {
      if (operator === '+') add([left, right]);
    },
    TemplateLiteral: ({ expressions }) => {
      add(expressions);
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && TAKES_TEXTS.test(callee.name)) add(given);
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { object, property } = callee;
      if (TAKES_TEXTS.test(property.name)) add(given);
      if (property.name === 'join' && object.type === 'ArrayExpression') add(object.elements);
      // A chain that ends early must go on doing so.
      const isChained = code.slice(object.start, object.end).includes('?.');
      if (FORMATS.test(property.name) && !isChained) add([object], UNFORMATTABLE);
    },
  });
  if (isAmongOthers) add([expression]);
  return slots;
}

/** A code that throws where the value of one of the slots, inner ones first, is missing. */
function withChecks(
  code: string,
  slots: readonly Slot[],
  isMissingEmpty: (source: string) => boolean,
): string {
  const opening: Record<number, string> = {};
  const closing: Record<number, string> = {};
  for (const { start, end, missing } of slots) {
    const isMissing = `typeof v!=='string'&&${missing.toString()}.test(\`\${v}\`)`;
    const isBlank = isMissingEmpty(code.slice(start, end)) ? String.raw`||/^[\s\p{Cf}]*$/u.test(v)` : '';
    opening[start] = `((v)=>${isMissing}${isBlank}?null.x:v)((${opening[start] ?? ''}`;
    closing[end] = `${closing[end] ?? ''}))`;
  }
  return [...code.split(''), '']
    .map((character, index) => `${closing[index] ?? ''}${opening[index] ?? ''}${character}`)
    .join('');
}
