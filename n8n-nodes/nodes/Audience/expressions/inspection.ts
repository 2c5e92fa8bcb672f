import { parseExpressionAt } from 'acorn';
import type { AnyNode, CallExpression, Expression } from 'acorn';
import { ancestor, simple } from 'acorn-walk';
import {
  emptyBy,
  isChosenFrom,
  isDefaulted,
  isFunction,
  isLookedAt,
  isMadeInAdvance,
  mayEndEarly,
  nameOf,
} from './syntax-tree.js';
import type { EmptyBy } from './syntax-tree.js';

/** A place in an expression at which a value becomes a part of a text. */
export interface Slot {
  /** The value as the expression writes it. */
  readonly source: string;
  readonly kind: SlotKind;
  readonly emptyBy: EmptyBy | undefined;
  /** Whether it is a variable that the expression fills by and by, such as the sum of a `reduce`. */
  readonly isFilled: boolean;
  /** Whether it is a part of an address of the web: `https://example.com/?user={{ $json.id }}`. */
  readonly isInLink: boolean;
  /** Whether it is made before it is known that it is used: a constant, or what `$ifEmpty` gives in place of nothing. */
  readonly mayBeUnused: boolean;
  /** Whether the expression gives something else in place of the text, where that is empty: `(a + b).trim() || 'c'`. */
  readonly hasDefault: boolean;
  /** Whether it is in a function, which may be called more than once. */
  readonly isInFunction: boolean;
}

type SlotKind =
  /** By a plus or in a template: of what is missing JavaScript writes a word. */
  | 'joined'
  /** In braces beside others: n8n writes nothing for what is missing. */
  | 'part'
  /** In a list or a hash, where what is missing cannot be seen. */
  | 'listed'
  /** A list that is joined; it lacks a value where none of its elements has one. */
  | 'list'
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
  const parts = [...stored.matchAll(PARTS)];
  const isAmongOthers = parts[0]?.[0] !== stored.slice(1).trim();
  const slots: Slot[] = [];
  const codes = parts.map(({ 0: part, 1: code = '', index }) => {
    const before = stored.slice(0, index).replaceAll(PARTS, '_');
    const isInLink =
      LINK.test(before) ||
      (/(^=|[\s"'(])$/.test(before) && /^[/?]\w/.test(stored.slice(index + part.length)));
    return new PartInspection(code.replace(String.raw`\}}`, '}}'), slots, isInLink).code(isAmongOthers);
  });
  if (slots.length === 0 || slots.length > MOST_SLOTS) return undefined;
  const code = `${NOTES}[[${codes.join(',')}],audienceFound][1])${HELPERS}`;
  return {
    slots,
    literal: literalOf(stored),
    expression: `{{ ${code.replaceAll('}}', '} }').replaceAll('}}', '} }')} }}`,
  };
}

/** What stands around the braces of an expression. */
export function literalOf(stored: string): string {
  return stored.slice(1).replaceAll(PARTS, '');
}

/** What stands in braces that no backslash escapes. */
const PARTS = /(?<=(?:^|[^\\])(?:\\\\)*)\{\{(.*?)(?<=(?:^|[^\\])(?:\\\\)*)\}\}/gs;

/** The end of a text that goes on with a part of a link, and of one behind which a link may begin with it. */
const LINK = /(\b(https?:\/\/|mailto:|tel:|www\.)[^\s"'<>]*|[?&][\w.-]+=)$/i;

const NOTES =
  '((audienceFound)=>((audienceNote)=>((audienceSee,audiencePut,audienceMade,audiencePart,audienceList)=>';
/** In the order of their names. A text of nothing is noted as such, and of what is no text the word that stands for it. */
const HELPERS = String.raw`(
(i,v)=>(audienceNote(i,v),v),
(i,j,a,b)=>((s)=>(typeof s==='string'&&(audienceNote(i,a),audienceNote(j,b)),s))(a+b),
(i,v)=>(typeof v==='string'&&/^(.{0,8}(\bNaN\b|Infinity|∞).{0,8}|Invalid Date(Time)?)$/.test(v)&&audienceFound.push({index:i,word:v}),v),
(i,f)=>{try{audienceNote(i,f())}catch(e){audienceNote(i,undefined)} },
(i,v)=>(Array.isArray(v)&&v.length>0&&v.every((e)=>e===undefined||e===null||/^\s*$/.test(e))&&audienceFound.push({index:i,word:''}),v)
))((i,v)=>{const w=typeof v==='string'?v:String(v);
if(i>=0&&(/^[\s\p{Cf}]*$/u.test(w)||typeof v==='function'||(typeof v!=='string'&&/^(undefined|null|NaN|-?Infinity|Invalid Date(Time)?|\[object .*)$/.test(w))))audienceFound.push({index:i,word:w.trim()})})
)([])`;

/** Functions whose arguments become a text, and methods that write one of what they are called on. */
const TO_TEXT = /^(String|encodeURIComponent|encodeURI)$/;
const FORMATS = /^(format|to(Fixed|Precision|Format|ISO\w*|Relative\w*|(Locale|Date|Time|UTC)\w*String))$/;
/** Methods that make something of an empty text as well. */
const FILLS = /^(hash|base64Encode|padStart)$/;
const REORDERS = /^(sort|toSorted|reverse|toReversed|slice)$/;
/** What takes a value out of a list of the input cannot be evaluated twice; and who takes a word out knows of it. */
const NOT_INSPECTED =
  /((?<!\))|(?<=\ball\(\)))\.(shift|pop|splice)\s*\(|\.(replace|replaceAll|split)\(\s*['"`/][^)]*(undefined|null)/;

/** An expression of more would not fit into n8n's stack. */
const MOST_SLOTS = 500;

/** The code of one pair of braces. */
class PartInspection {
  readonly #filled = new Set<string>();
  /** Variables that are only used where the expression chooses them. */
  readonly #spare = new Set<string>();
  readonly #opening: Record<number, string> = {};
  readonly #closing: Record<number, string> = {};
  readonly #operators: Record<number, { readonly length: number; readonly text: string }> = {};
  /** Around the slots that are being found. */
  #ancestors: readonly AnyNode[] = [];

  constructor(
    private readonly source: string,
    private readonly slots: Slot[],
    private readonly isInLink: boolean,
  ) {}

  /** The code with its notes; one that does nothing where nothing is to be noted. */
  code(isAmongOthers: boolean): string {
    const nothing = '0';
    if (NOT_INSPECTED.test(this.source)) return nothing;
    let expression: Expression;
    try {
      expression = parseExpressionAt(this.source, 0, { ecmaVersion: 'latest' });
      this.#findFilled(expression);
      this.#findSpare(expression);
      this.#findSlots(expression);
    } catch {
      return nothing;
    }
    const code = `(${this.#rewritten(expression)})`;
    if (!isAmongOthers) return code;
    const index = this.#slot(expression, 'part');
    return `audiencePart(${index},()=>${code})`;
  }

  #findFilled(expression: Expression): void {
    const add = (pattern: AnyNode | undefined): void => {
      if (pattern?.type === 'Identifier') this.#filled.add(pattern.name);
    };
    simple(expression, {
      VariableDeclaration: ({ kind, declarations }) => {
        for (const { id } of kind === 'const' ? [] : declarations) add(id);
      },
      CallExpression: (node) => {
        const [callback] = node.arguments;
        if (/^reduce(Right)?$/.test(nameOf(node)) && isFunction(callback)) add(callback.params[0]);
      },
    });
  }

  #findSpare(expression: Expression): void {
    const used = new Set<string>();
    ancestor(expression, {
      Identifier: ({ name }, _state, ancestors) => {
        const isChosen = ancestors.some((one, index) => isChosenFrom(one, ancestors[index + 1]));
        if (isChosen) this.#spare.add(name);
        else used.add(name);
      },
    });
    for (const name of used) this.#spare.delete(name);
  }

  #findSlots(expression: Expression): void {
    ancestor(expression, {
      BinaryExpression: (node, _state, ancestors) => {
        this.#ancestors = ancestors;
        const { left, right } = node;
        if (node.operator !== '+' || left.type === 'PrivateIdentifier' || isLookedAt(ancestors)) return;
        this.#replaceOperator(left.end, right.start, '+', ',');
        this.#wrap(node, `audiencePut(${this.#slot(left, 'joined')},${this.#slot(right, 'joined')},`, ')');
      },
      AssignmentExpression: (node, _state, ancestors) => {
        this.#ancestors = ancestors;
        const { left, right } = node;
        if (node.operator !== '+=' || left.type !== 'Identifier' || isLookedAt(ancestors)) return;
        const put = `=audiencePut(${this.#slot(left, 'joined')},${this.#slot(right, 'joined')},${left.name},`;
        this.#replaceOperator(left.end, right.start, '+=', put);
        this.#wrap(node, '', ')');
      },
      TemplateLiteral: ({ expressions }, _state, ancestors) => {
        this.#ancestors = ancestors;
        if (ancestors.at(-2)?.type === 'TaggedTemplateExpression' || isLookedAt(ancestors)) return;
        for (const one of expressions) this.#see(one, 'joined');
      },
      CallExpression: (node, _state, ancestors) => {
        this.#ancestors = ancestors;
        if (!isLookedAt(ancestors)) this.#findSlotsOfCall(node, ancestors.at(-2)?.type === 'ChainExpression');
      },
    });
  }

  /** @param endsChain whether what follows does not depend on whether a chain, `a?.b.toFixed()`, ends early. */
  #findSlotsOfCall(node: CallExpression, endsChain: boolean): void {
    const { callee, arguments: given } = node;
    const name = nameOf(node);
    if (callee.type === 'Identifier' && TO_TEXT.test(name)) this.#see(given[0], 'joined');
    if (callee.type === 'Identifier' && name === 'Number') this.#see(given[0], 'listed');
    if (callee.type !== 'MemberExpression') return;
    const { object } = callee;
    if (name === 'concat') for (const one of given) this.#see(one, 'replacing');
    if (name === 'replace' || name === 'replaceAll') this.#seeResults(given[1], 'replacing');
    if (name === 'join') {
      this.#seeElements(object);
      if (!mayEndEarly(object)) this.#wrap(object, `audienceList(${this.#slot(object, 'list')},(`, '))');
    }
    if (name === 'stringify') this.#seeElements(given[0]);
    if (FILLS.test(name) && !mayEndEarly(object)) this.#see(object, 'listed');
    if (FORMATS.test(name) && (endsChain || !mayEndEarly(node))) {
      this.#wrap(node, `audienceMade(${this.#slot(node, 'formatted')},(`, '))');
    }
  }

  /** @param isFiltered whether the expression takes those out that are missing. */
  #seeElements(list: AnyNode | undefined, isFiltered = false): void {
    if (list?.type === 'ArrayExpression')
      for (const one of list.elements) this.#see(one, 'listed', isFiltered ? 'fallback' : undefined);
    if (list?.type === 'ObjectExpression') {
      for (const one of list.properties) {
        if (one.type === 'Property' && !one.shorthand) this.#see(one.value, 'listed');
      }
    }
    if (list?.type !== 'CallExpression' || list.callee.type !== 'MemberExpression') return;
    const name = nameOf(list);
    const [callback] = list.arguments;
    if (/^(flatMap|map)$/.test(name) && isFunction(callback)) {
      if (callback.body.type === 'ArrayExpression') this.#seeElements(callback.body);
      else this.#seeResults(callback, 'listed');
    } else if (name === 'map' || REORDERS.test(name)) this.#seeElements(list.callee.object, isFiltered);
    else if (name === 'filter' || name === 'compact') this.#seeElements(list.callee.object, true);
  }

  /** What a function gives, or any other value. */
  #seeResults(node: AnyNode | undefined, kind: SlotKind): void {
    if (!isFunction(node)) this.#see(node, kind);
    else if (node.body.type !== 'BlockStatement') this.#see(node.body, kind);
    else {
      simple(node.body, {
        ReturnStatement: ({ argument }) => {
          this.#see(argument, kind);
        },
      });
    }
  }

  #see(node: AnyNode | null | undefined, kind: SlotKind, empty?: EmptyBy): void {
    const index = node === null || node === undefined ? -1 : this.#slot(node, kind, empty);
    if (node && index >= 0) this.#wrap(node, `audienceSee(${index},(`, '))');
  }

  /** @returns the index of the slot, or -1 for what always has a value. */
  #slot(node: AnyNode, kind: SlotKind, empty = emptyBy(node)): number {
    const hasValue =
      (node.type === 'Literal' && (node.value !== null || kind === 'listed')) ||
      (node.type === 'TemplateLiteral' && node.expressions.length === 0) ||
      ['ArrowFunctionExpression', 'FunctionExpression', 'SpreadElement'].includes(node.type);
    if (hasValue) return -1;
    const source = this.source.slice(node.start, node.end);
    // Of a sum each part is a slot by itself.
    const isSum = node.type === 'BinaryExpression' && node.operator === '+';
    const isFilled = isSum || (node.type === 'Identifier' && this.#filled.has(node.name));
    const isInLink = this.isInLink && kind === 'part';
    const mayBeUnused = kind !== 'part' && isMadeInAdvance(this.#ancestors, this.#spare);
    const hasDefault = this.#ancestors.some((one, index) => isDefaulted(one, this.#ancestors[index + 1]));
    const isInFunction = kind !== 'part' && this.#ancestors.some(isFunction);
    const slot = { source, kind, emptyBy: empty, isFilled, isInLink, mayBeUnused, hasDefault, isInFunction };
    return this.slots.push(slot) - 1;
  }

  /** What is wrapped later goes around what was before. */
  #wrap({ start, end }: AnyNode, before: string, after: string): void {
    this.#opening[start] = ` ${before}${this.#opening[start] ?? ''}`;
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
