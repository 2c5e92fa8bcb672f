import { asCommonJs, codeBlocks } from './readme.js';

test('the blocks of a language are found in their order, word for word', () => {
  const markdown = [
    'Text',
    '```ts',
    'const a = `1`;',
    '',
    'a;',
    '```',
    '```sh',
    'npm ci',
    '```',
    '```ts',
    'b();',
    '```',
  ];
  expect(codeBlocks(markdown.join('\n'), 'ts')).toEqual(['const a = `1`;\n\na;\n', 'b();\n']);
});

const CLIENT = `import { Client, log } from 'client';\n\nconst client = new Client();\nclient.send();\n`;

test('a program that awaits at its top stands in a function where there are no ES modules', () => {
  expect(asCommonJs(CLIENT)).toBe(CLIENT);
  expect(asCommonJs(`import { Client } from 'client';\nawait new Client().send();\n`)).toBe(
    `import { Client } from 'client';

async function main() {
await new Client().send();
}
void main();
`,
  );
  const inside = `export async function send() {\n  for await (const x of y) await x;\n}\n`;
  expect(asCommonJs(inside)).toBe(inside);
});
