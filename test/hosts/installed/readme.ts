import ts from 'typescript';

/** Blocks of a language in a Markdown text, in their order. Each is a whole program. */
export function codeBlocks(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...markdown.matchAll(fence)].map(([, source = '']) => source);
}

/** The same program for CommonJS, which has no `await` at its top: what is no import stands in a function. */
export function asCommonJs(program: string): string {
  const file = ts.createSourceFile('block.ts', program, ts.ScriptTarget.Latest, true);
  if (!file.statements.some(awaits)) return program;
  const imports = file.statements.filter(ts.isImportDeclaration).map((statement) => statement.getText());
  const first = file.statements.find((statement) => !ts.isImportDeclaration(statement));
  const body = first === undefined ? '' : program.slice(first.getFullStart()).trim();
  return `${imports.join('\n')}\n\nasync function main() {\n${body}\n}\nvoid main();\n`;
}

/** Whether a statement awaits outside of any function. */
function awaits(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false;
  const isForAwait = ts.isForOfStatement(node) && node.awaitModifier !== undefined;
  return (
    isForAwait ||
    ts.isAwaitExpression(node) ||
    ts.forEachChild(node, (child) => awaits(child) || undefined) === true
  );
}
