import path from 'node:path';
import ts from 'typescript';

jest.setTimeout(120_000);

const FILE = path.join(__dirname, 'program.mts');
const HEAD = `import { AudienceClient } from 'audience-core';\nconst audience = AudienceClient.fromEnv();\ndeclare const keep: boolean;\n`;

let text = '';
let version = 0;
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  types: ['node'],
};
const editor = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [FILE],
  getScriptVersion: (file) => (file === FILE ? String(version) : '1'),
  getScriptSnapshot: (file) => {
    const source = file === FILE ? text : ts.sys.readFile(file);
    return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
  },
  getCurrentDirectory: () => __dirname,
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  fileExists: (file) => ts.sys.fileExists(file),
  readFile: (file) => ts.sys.readFile(file),
  directoryExists: (dir) => ts.sys.directoryExists(dir),
  getDirectories: (dir) => ts.sys.getDirectories(dir),
  realpath: (file) => ts.sys.realpath?.(file) ?? file,
});

/** Which of these statements are red, each in one line of one program. */
function redIn(statements: readonly string[]): string[] {
  text = HEAD + statements.join('\n');
  version += 1;
  const lines = text.split('\n');
  const before = lines.length - statements.length;
  const red = editor
    .getSemanticDiagnostics(FILE)
    .map(({ start = 0 }) => text.slice(0, start).split('\n').length - 1 - before);
  return statements.filter((_, line) => red.includes(line));
}

/** What the editor shows on hovering over a word of a program. */
function hoverOver(word: string, program: string): string {
  expect(redIn([program])).toEqual([]);
  const info = editor.getQuickInfoAtPosition(FILE, text.lastIndexOf(word) + 1);
  return ts.displayPartsToString(info?.documentation);
}

const RED = [
  "await audience.events.send({ eventName: 'e' });",
  "await audience.transactional.send({ transactionalId: 't' });",
  "await audience.transactional.send({ transactionalId: 't', userId: 'u' });",
  "await audience.transactional.send({ transactionalId: 't', email: 'a@b.c', firstName: 'A' });",
  "await audience.contacts.update('u', { subscribed: true });",
  "await audience.contacts.update('u', { email: null });",
  "await audience.properties.create({ name: 'a', type: 'text' });",
];
const NOT_RED = [
  "await audience.events.send({ eventName: 'e', userId: 'u', seats: 3, eventProperties: { at: new Date() } });",
  "await audience.transactional.send({ transactionalId: 't', userId: 'u', addToAudience: true, firstName: 'A' });",
  "await audience.transactional.send({ transactionalId: 't', email: 'a@b.c', addToAudience: keep });",
  "await audience.contacts.update('u', { subscribed: false, userId: null, subscriptionGroups: { g: true } });",
];

test('what the contract forbids is red in the editor, and nothing else', () => {
  expect(redIn([...NOT_RED, ...RED])).toEqual(RED);
});

test('the editor describes the fields of the contract', () => {
  expect(hoverOver('firstName', "await audience.contacts.update('u', { firstName: 'A' });")).toBe(
    'First name.',
  );
  expect(hoverOver('source', "const { source } = await audience.contacts.get('u'); void source;")).toContain(
    'Origin',
  );
  expect(
    hoverOver('lastName', "await audience.events.send({ email: 'a@b.c', eventName: 'e', lastName: 'B' });"),
  ).toBe('Last name.');
});
