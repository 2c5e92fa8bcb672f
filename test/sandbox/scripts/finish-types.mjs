// Writes the public types without zod, whose own declarations do not compile without esModuleInterop, and without the
// core's internal ones, which need it. Types that come from either are written out; declarations that no public one needs
// are removed.
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const DIST = resolve(import.meta.dirname, '../dist');
const ENTRIES = ['index'];
const WRITTEN_OUT =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.MultilineObjectLiterals |
  ts.NodeBuilderFlags.InTypeAlias;

const entries = ENTRIES.map((name) => join(DIST, `${name}.d.ts`));
const program = ts.createProgram(entries, {
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ['node'],
});
const checker = program.getTypeChecker();
const outputs = new Map();
/** Names that are needed of a file, and those still to be looked at. */
const needed = new Map();
const queue = entries.map((file) => [file, undefined]);

while (queue.length > 0) {
  const [file, names] = queue.shift();
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`There is no ${file}.`);
  const text = source.getFullText();
  if (!/from ['"](zod|audience-core\/internal)/.test(text)) {
    if (outputs.has(file)) continue;
    outputs.set(file, text.replace(/^export \{\};\n/m, ''));
    for (const statement of source.statements) need(file, statement);
    continue;
  }
  const known = needed.get(file) ?? new Set();
  needed.set(file, known);
  for (const name of names ?? []) known.add(name);
  outputs.set(file, source.statements.map((one) => declaration(one, known)).join(''));
}
for (const file of globSync(join(DIST, '**/*.d.ts'))) if (!outputs.has(file)) rmSync(file);
for (const [file, text] of outputs) writeFileSync(file, text === '' ? 'export {};\n' : text);

function need(file, statement) {
  const isModule = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
  const from = isModule ? statement.moduleSpecifier?.text : undefined;
  if (from === undefined || !from.startsWith('.')) return;
  const named = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  const names = named?.elements?.map((one) => (one.propertyName ?? one.name).text);
  queue.push([join(dirname(file), from.replace(/\.js$/, '.d.ts')), names]);
}

function declaration(statement, known) {
  const name = (statement.declarationList?.declarations[0] ?? statement).name?.text;
  if (!known.has(name)) return '';
  if (!ts.isTypeAliasDeclaration(statement)) return statement.getFullText();
  const comment = ts.getLeadingCommentRanges(statement.getFullText(), 0)?.at(-1);
  const doc = comment === undefined ? '' : `${statement.getFullText().slice(comment.pos, comment.end)}\n`;
  const type = checker.getTypeAtLocation(statement.name);
  return `${doc}export type ${name} = ${checker.typeToString(type, undefined, WRITTEN_OUT).replace(/ {2,}/g, ' ')};\n`;
}
