import type { AnyNode, ArrowFunctionExpression, CallExpression, FunctionExpression } from 'acorn';

/** How an expression says by itself that a value may be empty: `?? ''`, or `: ''`. */
export type EmptyBy = 'fallback' | 'condition';

/** Where a text is only made to be looked at. */
const LOOKS = /^(filter|some|every|find|findIndex|findLast|sort|toSorted|includes|localeCompare|test|isNaN)$/;

/** The name of the function or method that is called; empty where it has none. */
export function nameOf({ callee }: CallExpression): string {
  if (callee.type === 'Identifier') return callee.name;
  const isNamed = callee.type === 'MemberExpression' && callee.property.type === 'Identifier';
  return isNamed && callee.property.type === 'Identifier' ? callee.property.name : '';
}

export function isFunction(node: AnyNode | undefined): node is ArrowFunctionExpression | FunctionExpression {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';
}

/** Whether a chain, `a?.b.c()`, may end before its last link. */
export function mayEndEarly(node: AnyNode): boolean {
  if (node.type === 'MemberExpression') return node.optional || mayEndEarly(node.object);
  return node.type === 'CallExpression' && (node.optional || mayEndEarly(node.callee));
}

/** Whether a text is made only to be compared, to choose by, or to be chosen. */
export function isLookedAt(ancestors: readonly AnyNode[]): boolean {
  return ancestors.some((node, index) => {
    const inner = ancestors[index + 1];
    if (inner === undefined) return false;
    if (node.type === 'BinaryExpression') return node.operator !== '+';
    if (node.type === 'MemberExpression') {
      const isList = ['ObjectExpression', 'ArrayExpression'].includes(inner.type);
      return node.computed && (inner === node.property || isList);
    }
    if (node.type === 'SwitchStatement') return inner === node.discriminant;
    if (node.type === 'ConditionalExpression' || node.type === 'IfStatement') return inner === node.test;
    if (node.type === 'CallExpression') return LOOKS.test(nameOf(node)) && inner !== node.callee;
    return node.type === 'UnaryExpression' && node.operator === '!';
  });
}

/** Whether a text is made before it is known that it is used. */
export function isMadeInAdvance(ancestors: readonly AnyNode[], spare: ReadonlySet<string>): boolean {
  return ancestors.some((node, index) => {
    const inner = ancestors[index + 1];
    if (node.type === 'VariableDeclarator')
      return inner === node.init && node.id.type === 'Identifier' && spare.has(node.id.name);
    return node.type === 'CallExpression' && nameOf(node) === '$ifEmpty' && inner === node.arguments[1];
  });
}

/** Whether a part of an expression is taken only where the expression chooses it. */
export function isChosenFrom(node: AnyNode, part: AnyNode | undefined): boolean {
  if (node.type === 'LogicalExpression') return part === node.right;
  if (node.type === 'ConditionalExpression' || node.type === 'IfStatement')
    return part === node.consequent || part === node.alternate;
  return node.type === 'CallExpression' && nameOf(node) === '$ifEmpty' && part === node.arguments[1];
}

/** Whether an expression takes something else in place of a part of it, where that is empty. */
export function isDefaulted(node: AnyNode, part: AnyNode | undefined): boolean {
  if (node.type === 'LogicalExpression') return part === node.left && node.operator !== '&&';
  return node.type === 'CallExpression' && nameOf(node) === '$ifEmpty' && part === node.arguments[0];
}

export function emptyBy(node: AnyNode): EmptyBy | undefined {
  if (node.type === 'LogicalExpression' && node.operator === '&&') return 'condition';
  if (node.type === 'LogicalExpression' && isNothing(node.right)) return 'fallback';
  if (node.type === 'ConditionalExpression') {
    const branches = [node.consequent, node.alternate];
    return branches.some((one) => isNothing(one) || emptyBy(one) !== undefined) ? 'condition' : undefined;
  }
  if (node.type === 'ArrayExpression') return firstEmptyBy(node.elements);
  if (node.type !== 'CallExpression') return undefined;
  if (node.callee.type === 'MemberExpression') {
    const [callback] = node.arguments;
    return emptyBy(node.callee.object) ?? (isFunction(callback) ? firstEmptyBy([callback.body]) : undefined);
  }
  if (!node.arguments.some(isNothing)) return undefined;
  if (nameOf(node) === '$if') return 'condition';
  return nameOf(node) === '$ifEmpty' ? 'fallback' : undefined;
}

function firstEmptyBy(nodes: readonly (AnyNode | null)[]): EmptyBy | undefined {
  return nodes.map((node) => (node === null ? undefined : emptyBy(node))).find((by) => by !== undefined);
}

function isNothing(node: AnyNode): boolean {
  if (node.type === 'Literal') return node.value === '' || node.value === null;
  if (node.type === 'TemplateLiteral') return node.quasis.length === 1 && node.quasis[0]?.value.raw === '';
  return node.type === 'Identifier' && node.name === 'undefined';
}
