import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

jest.setTimeout(120_000);

const README = path.resolve(__dirname, '../../../pulumi-provider/README.md');

/** Errors of the compiler in each program, as a person's editor would show them. */
function errorsIn(programs: readonly string[]): string[][] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const texts = new Map(programs.map((text, index) => [path.join(__dirname, `program-${index}.ts`), text]));
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (file) => texts.has(file) || ts.sys.fileExists(file);
  host.readFile = (file) => texts.get(file) ?? ts.sys.readFile(file);
  host.getSourceFile = (file, version) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, version) : ts.createSourceFile(file, text, version);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()].map((file) =>
    [
      ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
      ...program.getSemanticDiagnostics(program.getSourceFile(file)),
    ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}

const WRONG = [
  `import { ContactProperty } from 'pulumi-audience'; new ContactProperty('p', { name: 'plan', type: 'text' });`,
  `import { Contact } from 'pulumi-audience'; new Contact('a', { email: 'a@example.com', subscribed: true });`,
];

test('every program of the README compiles; a wrong type or input is red', () => {
  const programs = [...readFileSync(README, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) =>
    text.includes('import ') ? text : `import { Contacts } from 'pulumi-audience'; ${text}`,
  );
  expect(programs).toHaveLength(5);
  const [type, subscribed, ...others] = errorsIn([...WRONG, ...programs]);
  expect(others).toEqual(programs.map(() => []));
  expect(type?.join()).toMatch(/'"text"'/);
  expect(subscribed?.join()).toMatch(/true/);
});
