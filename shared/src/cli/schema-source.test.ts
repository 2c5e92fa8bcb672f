import ts from 'typescript';
import { schemaSource } from './schema-source.js';

const design = (id: string, name: string, dataVariables: string[]) => ({
  id,
  name,
  lastUpdated: '2026-01-01T00:00:00Z',
  dataVariables,
});

test('custom properties and designs are written as a module', () => {
  const designs = [design('b', 'Receipt', ['total', "it's"]), design('a', 'Welcome */', [])];
  expect(schemaSource({ teamSize: 'number', endsAt: 'date' }, designs)).toBe(
    `import { defineContactSchema, defineEmailSchema } from 'audience-core';

/** Custom properties of contacts. */
export const contactSchema = defineContactSchema({
  teamSize: 'number',
  endsAt: 'date',
});

/** Transactional emails with their variables. */
export const emailSchema = defineEmailSchema({
  /** Welcome * / */
  'a': [],
  /** Receipt */
  'b': ['total', 'it\\'s'],
});
`,
  );
});

test('events are written with the types of their properties', () => {
  const source = schemaSource({}, [], { orderPlaced: { total: 'number', "it's": 'json' }, signedUp: {} });
  expect(source).toContain('defineEmailSchema, defineEventSchema }');
  expect(source).toContain(`export const eventSchema = defineEventSchema({
  'orderPlaced': { 'total': 'number', 'it\\'s': 'json' },
  'signedUp': {},
});
`);
});

test.each([[[]], [[design('\u2028\\\n', 'New\nline', ['\\', '"'])]]])(
  'it compiles with any names',
  (designs) => {
    const { diagnostics } = ts.transpileModule(schemaSource({}, designs), { reportDiagnostics: true });
    expect(diagnostics).toEqual([]);
  },
);
