import path from 'node:path';
import ts from 'typescript';

jest.setTimeout(120_000);

const FILE = path.join(__dirname, 'program.mts');
const HEAD = `import { AudienceClient, defineSchema, type TransactionalEmailMessage } from 'audience-core';\nconst audience = AudienceClient.fromEnv();\ndeclare const keep: boolean;\n`;

let text = '';
let version = 0;
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  types: ['node'],
};
const { useCaseSensitiveFileNames, ...system } = ts.sys;
const editor = ts.createLanguageService({
  ...system,
  useCaseSensitiveFileNames: () => useCaseSensitiveFileNames,
  getCompilationSettings: () => options,
  getScriptFileNames: () => [FILE],
  getScriptVersion: (file) => (file === FILE ? String(version) : '1'),
  getScriptSnapshot: (file) => {
    const source = file === FILE ? text : ts.sys.readFile(file);
    return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
  },
  getCurrentDirectory: () => __dirname,
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
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

const RED = [
  "await audience.transactional.send({ transactionalId: 't', email: 'a@b.c', dataVariables: fetch('') });",
  "await audience.transactional.send({ transactionalId: 't', email: 'a@b.c', dataVariables: ['a'] });",
  "await audience.events.send({ eventName: 'e', userId: 'u', eventProperties: new Map() });",
  "await audience.events.send({ eventName: 'e', userId: 'u', eventProperties: new Date() });",
  "await typed.transactional.send({ transactionalId: 't', email: 'a@b.c', dataVariables: { a: 1 } });",
  "await typed.transactional.send({ transactionalId: 't', email: 'a@b.c', dataVariables: { lines } });",
  "await typed.transactional.send({ transactionalId: 't', email: 'a@b.c', dataVariables: { lines, total: undefined } });",
  "await typed.transactional.send({ transactionalId: 't', email: 'a@b.c' });",
  "await typed.events.send({ eventName: 'e', userId: 'u', eventProperties: { lines: fetch('') } });",
  "await audience.events.send({ eventName: 'e' });",
  "await audience.transactional.send({ transactionalId: 't' });",
  "await audience.transactional.send({ transactionalId: 't', userId: 'u' });",
  "await audience.transactional.send({ transactionalId: 't', email: 'a@b.c', firstName: 'A' });",
  "await audience.contacts.update('u', { subscribed: true });",
  "await audience.contacts.update('u', { email: null });",
  "await audience.properties.create({ name: 'a', type: 'text' });",
];
const NOT_RED = [
  'interface Line { title: string; price: number; tags?: readonly string[] }',
  'interface Receipt { total: number; lines: readonly Line[]; note?: string | undefined }',
  'interface Templates { receipt: Receipt; lines: { lines: readonly Line[] } }',
  'declare const receipt: Receipt; declare const lines: readonly Line[];',
  "const byKey = <K extends keyof Templates>(transactionalId: K, dataVariables: Templates[K]) => audience.transactional.send({ email: '', transactionalId, dataVariables });",
  "const ofObject = <T extends object>(dataVariables: T) => audience.transactional.send({ email: '', transactionalId: 't', dataVariables });",
  "const ofRecord = <P extends Record<string, unknown>>(eventProperties: P) => audience.events.send({ email: '', eventName: 'e', eventProperties });",
  "await byKey('receipt', receipt); await ofObject(receipt); await ofRecord({ lines });",
  "const message: TransactionalEmailMessage = { email: '', transactionalId: 't', dataVariables: receipt }; await audience.transactional.send(message);",
  "await audience.transactional.send({ transactionalId: 't', email: 'a@b.c', dataVariables: receipt });",
  "await audience.transactional.send({ transactionalId: 't', email: 'a@b.c', dataVariables: { lines, one: { title: 'a', of: [[1, null]] } } });",
  "await audience.events.send({ eventName: 'e', userId: 'u', eventProperties: { lines, at: new Date(), none: null } });",
  "await audience.events.send({ eventName: 'e', userId: 'u', eventProperties: receipt });",
  "const typed = new AudienceClient({ baseUrl: '', apiKey: '', schema: defineSchema({ emails: { t: ['total', 'lines'] }, events: { e: { lines: 'json' } } }) });",
  "await typed.transactional.send({ transactionalId: 't', email: 'a@b.c', dataVariables: receipt });",
  "await typed.transactional.send({ transactionalId: 't', email: 'a@b.c', dataVariables: { lines, total: null } });",
  "await typed.events.send({ eventName: 'e', userId: 'u', eventProperties: { lines } });",
  "await audience.events.send({ eventName: 'e', userId: 'u', seats: 3, eventProperties: { at: new Date() } });",
  "await audience.transactional.send({ transactionalId: 't', userId: 'u', addToAudience: true, firstName: 'A' });",
  "await audience.transactional.send({ transactionalId: 't', email: 'a@b.c', addToAudience: keep });",
  "await audience.contacts.update('u', { subscribed: false, userId: null, subscriptionGroups: { g: true } });",
];

test('what the contract forbids is red in the editor, and nothing else', () => {
  expect(redIn([...NOT_RED, ...RED])).toEqual(RED);
});

test.each([
  ['firstName', "await audience.contacts.update('u', { firstName: 'A' });", 'First name.'],
  ['source', "const { source } = await audience.contacts.get('u'); void source;", 'Origin of the contact.'],
  ['lastName', "await audience.events.send({ email: '', eventName: 'e', lastName: 'B' });", 'Last name.'],
])('the editor describes the field %s', (word, program, description) => {
  expect(redIn([program])).toEqual([]);
  const info = editor.getQuickInfoAtPosition(FILE, text.lastIndexOf(word) + 1);
  expect(ts.displayPartsToString(info?.documentation)).toBe(description);
});
