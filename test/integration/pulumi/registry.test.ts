import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/v4-mini';

const read = (file: string): string =>
  readFileSync(path.resolve(__dirname, '../../../pulumi-provider', file), 'utf8');

const schemaSchema = z.object({ config: z.object({ variables: z.record(z.string(), z.unknown()) }) });

test.each([
  ['typescript', 'getting-started/index.ts'],
  ['python', 'python/__main__.py'],
  ['go', 'go/main.go'],
  ['yaml', 'yaml/Pulumi.yaml'],
])('the program in %s is that of the example, which is run', (language, example) => {
  const [, program = ''] =
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(read('docs/_index.md')) ?? [];
  expect(program).toContain('tester@example.com');
  expect(read(`examples/${example}`)).toContain(program.trim());
});

test('the page on settings names all settings of the schema', () => {
  const schema = schemaSchema.parse(JSON.parse(read('src/plugin/schema.json')));
  const names = [...read('docs/installation-configuration.md').matchAll(/^\| `audience:(\w+)`/gm)];
  expect(names.map(([, name]) => name)).toEqual(Object.keys(schema.config.variables));
});
