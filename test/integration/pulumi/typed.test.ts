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

const schema = (rest: string): string => `
  import { ContactSchema } from 'pulumi-audience';
  const crm = new ContactSchema('crm', { properties: { plan: 'string', seats: 'number', endsAt: 'date' } });
  ${rest}`;

describe('what the editor says', () => {
  it('every program of the README compiles', () => {
    const programs = [...readFileSync(README, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
      ([, text]) => text ?? '',
    );
    expect(programs).toHaveLength(3);
    expect(errorsIn(programs)).toEqual(programs.map(() => []));
  });

  it('wrong names, types and inputs are red, right ones are not', () => {
    const [right, wrongName, wrongType, wrongRecord, wrongPropertyType, subscribed, wrongSchema] = errorsIn([
      schema(`new crm.Contact('a', { email: 'a@example.com', properties: { plan: 'Pro', seats: 3, endsAt: new Date() } });
              new crm.Contacts('b', { contacts: [{ email: 'a@example.com', properties: { plan: null } }] });
              crm.properties.plan.name;`),
      schema(`new crm.Contact('a', { email: 'a@example.com', properties: { plam: 'Pro' } });`),
      schema(`new crm.Contact('a', { email: 'a@example.com', properties: { seats: 'three' } });`),
      schema(
        `new crm.Contacts('a', { contacts: [{ email: 'a@example.com', properties: { seats: true } }] });`,
      ),
      `import { ContactProperty } from 'pulumi-audience'; new ContactProperty('p', { name: 'plan', type: 'text' });`,
      `import { Contact } from 'pulumi-audience'; new Contact('a', { email: 'a@example.com', subscribed: true });`,
      schema(`crm.properties.plam;`),
    ]);
    expect(right).toEqual([]);
    expect(wrongName?.join()).toMatch(/'plam'/);
    expect(wrongType?.join()).toMatch(/string/);
    expect(wrongRecord?.join()).toMatch(/'true' is not assignable/);
    expect(wrongPropertyType?.join()).toMatch(/'"text"'/);
    expect(subscribed?.join()).toMatch(/true/);
    expect(wrongSchema?.join()).toMatch(/'plam'/);
  });
});
