import ts from 'typescript';
import { FIRST_LINE } from './output-file.js';
import { schemaSource } from './schema-source.js';

const design = (id: string, name: string, dataVariables: string[]) => ({
  id,
  name,
  lastUpdated: '2026-01-01T00:00:00Z',
  dataVariables,
});

test('custom properties and designs are written as a module', () => {
  const designs = [design('b', 'Receipt', ['total', "it's"]), design('a', 'Welcome */', [])];
  const properties = [
    { key: 'teamSize', type: 'number' },
    { key: 'email', type: 'string' },
    { key: 'endsAt', type: 'date' },
    { key: 'createdAt', type: 'date' },
  ] as const;
  expect(schemaSource(properties, designs)).toBe(
    `${FIRST_LINE}
import { defineSchema } from 'audience-core';

export const schema = defineSchema({
  /** Custom properties of contacts. */
  contacts: {
    endsAt: 'date',
    teamSize: 'number',
  },
  /** Transactional emails with their variables. */
  emails: {
    /** Welcome * / */
    'a': [],
    /** Receipt */
    'b': ['total', 'it\\'s'],
  },
});
`,
  );
});

test.each([[[]], [[design('\u2028\\\n', 'New\nline', ['\\', '"'])]]])(
  'it compiles with any names',
  (designs) => {
    const { diagnostics } = ts.transpileModule(schemaSource([], designs), { reportDiagnostics: true });
    expect(diagnostics).toEqual([]);
  },
);
