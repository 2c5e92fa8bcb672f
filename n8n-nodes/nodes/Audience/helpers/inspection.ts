import { parseExpressionAt } from 'acorn';
import type { AnyNode, CallExpression, Expression } from 'acorn';
import { ancestor } from 'acorn-walk';

/** A place in an expression at which a value becomes a part of a text. */
export interface Slot {
  /** The value as the expression writes it. */
  readonly source: string;
  readonly kind: SlotKind;
  /** How the expression says by itself that the value may be empty: `?? ''`, or `: ''`. */
  readonly emptyBy: 'fallback' | 'condition' | undefined;
  /** Whether it is a variable of the expression's own, such as the sum of a `reduce`. */
  readonly isLocal: boolean;
}

type SlotKind =
  /** By a plus or in a template: of what is missing JavaScript writes a word. */
  | 'joined'
  /** In braces beside others: n8n writes nothing for what is missing. */
  | 'part'
  /** In a list or a hash, where what is missing cannot be seen. */
  | 'listed'
  /** In the place of another text, where that is found. */
  | 'replacing'
  /** What a method such as `toFixed` writes. */
  | 'formatted';

/** An expression with a look at each of its slots. */
export interface Inspection {
  readonly slots: readonly Slot[];
  /** What stands around the braces: the text of an item that gives nothing. */
  readonly literal: string;
  /** Gives `{ index, word }` for each slot that lacks a value: which it is, and what is there in place of one. */
  readonly expression: string;
}

/**
 * Changes an expression so that it notes what becomes a part of a text, and gives that.
 *
 * @returns nothing for an expression that puts nothing together.
 */
export function inspect(stored: string): Inspection | undefined {
  const parts = [...stored.matchAll(/(?<=(?:^|[^\\])(?:\\\\)*)\{\{(.*?)(?<=(?:^|[^\\])(?:\\\\)*)\}\}/gs)];
  const isAmongOthers = parts[0]?.[0] !== stored.slice(1).trim();
  const slots: Slot[] = [];
  const codes = parts.map(([, code = '']) => {
    return new PartInspection(code.replaceAll(String.raw`\}}`, '}}'), slots).code(isAmongOthers);
  });
  if (slots.length === 0) return undefined;
  const code = `${NOTES}[[${codes.join(',')}],audienceFound][1])${HELPERS}`;
  const literal = parts.reduce((text, [part]) => text.replace(part, ''), stored.slice(1));
  return { slots, literal, expression: `{{ ${code.replaceAll('}}', String.raw`\}}`)} }}` };
}

const NOTES = '((audienceFound)=>((audienceNote)=>((audienceSee,audiencePut,audienceMade,audiencePart)=>';
/** In the order of their names. A text of nothing is noted as such, and of what is no text the word that stands for it. */
const HELPERS = String.raw`(
(i,v)=>(audienceNote(i,v),v),
(i,j,a,b)=>((s)=>(typeof s==='string'&&(audienceNote(i,a),audienceNote(j,b)),s))(a+b),
(i,v)=>(typeof v==='string'&&/^(.{0,8}\bNaN\b.{0,8}|Invalid Date(Time)?)$/.test(v)&&audienceFound.push({index:i,word:v}),v),
(i,f)=>{try{audienceNote(i,f())}catch(e){audienceNote(i,undefined)} }
))((i,v)=>{const w=typeof v==='string'?v:String(v);
if(i>=0&&(/^[\s\p{Cf}]*$/u.test(w)||typeof v==='function'||(typeof v!=='string'&&/^(undefined|null|NaN|-?Infinity|Invalid Date(Time)?|\[object .*)$/.test(w))))audienceFound.push({index:i,word:w.trim()})})
)([])`;

/** Functions whose arguments become a text, and methods that write one of what they are called on. */
const TO_TEXT = /^(String|encodeURIComponent|encodeURI)$/;
const FORMATS =
  /^(format|to(Fixed|Precision|Format|String|ISO\w*|Relative\w*|(Locale|Date|Time|UTC)\w*String))$/;
const HASHES = /^(hash|base64Encode)$/;
/** Where a text is only made to be looked at. */
const LOOKS = /^(filter|some|every|find|findIndex|findLast|sort|toSorted|includes|localeCompare|test|isNaN)$/;
/** What takes a value out of a list: it cannot be evaluated twice. */
const TAKES_OUT = /\.(shift|pop|splice)\s*\(/;

/** The code of one pair of braces. */
class PartInspection {
  readonly #opening: Record<number, string> = {};
  readonly #closing: Record<number, string> = {};
  readonly #operators: Record<number, { readonly length: number; readonly text: string }> = {};

  constructor(
    private readonly source: string,
    private readonly slots: Slot[],
  ) {}

  /** The code with its notes; one that does nothing where nothing is to be noted. */
  code(isAmongOthers: boolean): string {
    const nothing = '0';
    if (TAKES_OUT.test(this.source)) return nothing;
    let expression: Expression;
    try {
      expression = parseExpressionAt(this.source, 0, { ecmaVersion: 'latest' });
    } catch {
      return nothing;
    }
    this.#findSlots(expression);
    const code = `(${this.#rewritten(expression)})`;
    if (!isAmongOthers) return code;
    const index = this.#slot(expression, 'part');
    return `audiencePart(${index},()=>${code})`;
  }

  #findSlots(expression: Expression): void {
    ancestor(expression, {
      BinaryExpression: (node, _state, ancestors) => {
        const { left, right } = node;
        if (node.operator !== '+' || left.type === 'PrivateIdentifier' || isLookedAt(ancestors)) return;
        this.#replaceOperator(left.end, right.start, '+', ',');
        this.#wrap(node, `audiencePut(${this.#slot(left, 'joined')},${this.#slot(right, 'joined')},`, ')');
      },
      AssignmentExpression: (node, _state, ancestors) => {
        const { left, right } = node;
        if (node.operator !== '+=' || left.type !== 'Identifier' || isLookedAt(ancestors)) return;
        const put = `=audiencePut(-1,${this.#slot(right, 'joined')},${left.name},`;
        this.#replaceOperator(left.end, right.start, '+=', put);
        this.#wrap(node, '', ')');
      },
      TemplateLiteral: ({ expressions }, _state, ancestors) => {
        if (ancestors.at(-2)?.type === 'TaggedTemplateExpression' || isLookedAt(ancestors)) return;
        for (const one of expressions) this.#see(one, 'joined');
      },
      CallExpression: (node, _state, ancestors) => {
        if (!isLookedAt(ancestors)) this.#findSlotsOfCall(node);
      },
    });
  }

  #findSlotsOfCall(node: CallExpression): void {
    const { callee, arguments: given } = node;
    const name = nameOf(node);
    if (callee.type === 'Identifier' && TO_TEXT.test(name)) this.#see(given[0], 'joined');
    if (callee.type !== 'MemberExpression') return;
    const { object } = callee;
    if (name === 'concat') for (const one of given) this.#see(one, 'replacing');
    if (name === 'replace' || name === 'replaceAll') this.#see(bodyOf(given[1]), 'replacing');
    if (name === 'join') this.#seeElements(object);
    if (name === 'stringify') this.#seeElements(given[0]);
    if (HASHES.test(name)) this.#see(object, 'listed');
    if (FORMATS.test(name)) {
      this.#wrap(node, `audienceMade(${this.#slot(node, 'formatted')},(`, '))');
    }
  }

  #seeElements(list: AnyNode | undefined): void {
    if (list?.type === 'ArrayExpression') for (const one of list.elements) this.#see(one, 'listed');
    if (list?.type === 'ObjectExpression') {
      for (const one of list.properties) {
        if (one.type === 'Property' && !one.shorthand) this.#see(one.value, 'listed');
      }
    }
    if (list?.type !== 'CallExpression' || nameOf(list) !== 'map') return;
    this.#see(bodyOf(list.arguments[0]), 'listed');
    if (list.callee.type === 'MemberExpression') this.#seeElements(list.callee.object);
  }

  #see(node: AnyNode | null | undefined, kind: SlotKind): void {
    const index = node === null || node === undefined ? -1 : this.#slot(node, kind);
    if (node && index >= 0) this.#wrap(node, `audienceSee(${index},(`, '))');
  }

  /** @returns the index of the slot, or -1 for what always has a value. */
  #slot(node: AnyNode, kind: SlotKind): number {
    const hasValue =
      (node.type === 'Literal' && (node.value !== null || kind === 'listed')) ||
      (node.type === 'TemplateLiteral' && node.expressions.length === 0) ||
      ['ArrowFunctionExpression', 'FunctionExpression', 'SpreadElement'].includes(node.type);
    if (hasValue) return -1;
    const source = this.source.slice(node.start, node.end);
    const isLocal = node.type === 'Identifier' && !node.name.startsWith('$');
    return this.slots.push({ source, kind, emptyBy: emptyBy(node), isLocal }) - 1;
  }

  /** What is wrapped later goes around what was before. */
  #wrap({ start, end }: AnyNode, before: string, after: string): void {
    this.#opening[start] = before + (this.#opening[start] ?? '');
    this.#closing[end] = (this.#closing[end] ?? '') + after;
  }

  #replaceOperator(from: number, to: number, operator: string, text: string): void {
    const between = this.source.slice(from, to).replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, (comment) => {
      return ' '.repeat(comment.length);
    });
    this.#operators[from + between.indexOf(operator)] = { length: operator.length, text };
  }

  #rewritten({ start, end }: Expression): string {
    let code = '';
    for (let at = start; at <= end; at += 1) {
      code += (this.#closing[at] ?? '') + (this.#opening[at] ?? '');
      const operator = this.#operators[at];
      if (operator !== undefined) {
        code += operator.text;
        at += operator.length - 1;
      } else code += this.source.slice(at, Math.min(at + 1, end));
    }
    return code;
  }
}

function nameOf({ callee }: CallExpression): string {
  if (callee.type === 'Identifier') return callee.name;
  const isNamed = callee.type === 'MemberExpression' && callee.property.type === 'Identifier';
  return isNamed && callee.property.type === 'Identifier' ? callee.property.name : '';
}

/** What a short function gives; any other value as it is. */
function bodyOf(node: AnyNode | undefined): AnyNode | undefined {
  return node?.type === 'ArrowFunctionExpression' ? node.body : node;
}

/** Whether a text is made only to be compared, or to choose by. */
function isLookedAt(ancestors: readonly AnyNode[]): boolean {
  return ancestors.some((node, index) => {
    const inner = ancestors[index + 1];
    if (inner === undefined) return false;
    if (node.type === 'BinaryExpression') return node.operator !== '+';
    if (node.type === 'ConditionalExpression' || node.type === 'IfStatement') return inner === node.test;
    if (node.type === 'CallExpression') return LOOKS.test(nameOf(node)) && inner !== node.callee;
    return node.type === 'UnaryExpression' && node.operator === '!';
  });
}

function emptyBy(node: AnyNode): Slot['emptyBy'] {
  if (node.type === 'LogicalExpression' && isNothing(node.right)) return 'fallback';
  if (node.type === 'ConditionalExpression') {
    const branches = [node.consequent, node.alternate];
    return branches.some((one) => isNothing(one) || emptyBy(one) !== undefined) ? 'condition' : undefined;
  }
  if (node.type !== 'CallExpression' || !node.arguments.some(isNothing)) return undefined;
  if (nameOf(node) === '$if') return 'condition';
  return nameOf(node) === '$ifEmpty' ? 'fallback' : undefined;
}

function isNothing(node: AnyNode): boolean {
  if (node.type === 'Literal') return node.value === '' || node.value === null;
  if (node.type === 'TemplateLiteral') return node.quasis.length === 1 && node.quasis[0]?.value.raw === '';
  return node.type === 'Identifier' && node.name === 'undefined';
}
