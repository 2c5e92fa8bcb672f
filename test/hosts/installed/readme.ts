import ts from 'typescript';

/** Blocks of a language in a Markdown text, in their order. */
export function codeBlocks(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...markdown.matchAll(fence)].map(([, source = '']) => source);
}

/**
 * The programs that the blocks of a text are: each block as it is written, together with the earlier blocks whose
 * names it uses. Imports are merged; what a block declares again it has for itself.
 */
export function programs(blocks: readonly string[]): string[] {
  const parsed = blocks.map(parse);
  return parsed.map((block, index) => {
    const parts = [block];
    const missing = new Set([...block.used].filter((name) => !block.declared.has(name)));
    for (const earlier of parsed.slice(0, index).reverse()) {
      if (!share(earlier.declared, missing)) continue;
      parts.unshift(earlier);
      earlier.used.forEach((name) => missing.add(name));
      earlier.declared.forEach((name) => missing.delete(name));
    }
    return parts.length === 1 ? block.source : compose(parts);
  });
}

/** The same program for CommonJS, which has no `await` at its top: what is no import stands in a function. */
export function asCommonJs(program: string): string {
  const { imports, body, awaits } = parse(program);
  if (!awaits) return program;
  return `${imports.join('\n')}\n\nasync function main() {\n${body}\n}\nvoid main();\n`;
}

interface Block {
  readonly source: string;
  readonly imports: readonly string[];
  /** All but the imports. */
  readonly body: string;
  /** Names that it declares or imports at its top. */
  readonly declared: ReadonlySet<string>;
  /** Names that it uses, its own among them. */
  readonly used: ReadonlySet<string>;
  /** Whether it awaits outside of any function. */
  readonly awaits: boolean;
}

function parse(source: string): Block {
  const file = ts.createSourceFile('block.ts', source, ts.ScriptTarget.Latest, true);
  const imports = file.statements.filter(ts.isImportDeclaration);
  const rest = file.statements.filter((statement) => !ts.isImportDeclaration(statement));
  const declared = new Set<string>();
  for (const statement of imports) importedNames(statement).forEach((name) => declared.add(name));
  for (const statement of rest) declaredNames(statement).forEach((name) => declared.add(name));
  const used = new Set<string>();
  let awaits = false;
  const visit = (node: ts.Node, inFunction: boolean): void => {
    if (ts.isIdentifier(node) && isUse(node)) used.add(node.text);
    if (!inFunction && (ts.isAwaitExpression(node) || isForAwait(node))) awaits = true;
    const within = inFunction || ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => visit(child, within));
  };
  rest.forEach((statement) => visit(statement, false));
  const [first] = rest;
  return {
    source,
    imports: imports.map((statement) => statement.getText()),
    body: first === undefined ? '' : source.slice(first.getFullStart()).trim(),
    ...{ declared, used, awaits },
  };
}

function importedNames({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  const named =
    bindings === undefined ? [] : ts.isNamedImports(bindings) ? [...bindings.elements] : [bindings];
  return [importClause?.name, ...named.map(({ name }) => name)].flatMap((name) => name?.text ?? []);
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return true;
}

function isForAwait(node: ts.Node): boolean {
  return ts.isForOfStatement(node) && node.awaitModifier !== undefined;
}

function compose(parts: readonly Block[]): string {
  const taken = new Set<string>();
  let ends = '';
  const bodies = parts.map(({ body }) => {
    const { declared } = parse(body);
    const opens = share(declared, taken);
    if (opens) ends += '}\n';
    declared.forEach((name) => taken.add(name));
    return opens ? `{\n${body}` : body;
  });
  return `${mergeImports(parts.flatMap(({ imports }) => imports)).join('\n')}\n\n${bodies.join('\n')}\n${ends}`;
}

function share(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((name) => others.has(name));
}

/** Each name is imported once from each module. */
function mergeImports(statements: readonly string[]): string[] {
  const seen = new Set<string>();
  const isFresh = (text: string): boolean => !seen.has(text) && seen.add(text).has(text);
  return statements.flatMap((statement) => {
    const [, names, module = ''] = /^import \{(.*)\} from (.*);$/s.exec(statement) ?? [];
    if (names === undefined) return isFresh(statement) ? statement : [];
    const fresh = names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && isFresh(`${name} ${module}`));
    return fresh.length === 0 ? [] : `import { ${fresh.join(', ')} } from ${module};`;
  });
}
