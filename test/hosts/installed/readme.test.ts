import { asCommonJs, codeBlocks, programs } from './readme.js';

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

test('a block that needs no other is a program by itself', () => {
  const other = `import { Client } from 'client';\nnew Client().other({ client: 1 }).client;\n`;
  expect(programs([CLIENT, other])).toEqual([CLIENT, other]);
});

test('a block that uses names of an earlier block comes with it, and with what that one needs', () => {
  const orders = `const order = client.order();\n`;
  const unrelated = `const other = 1;\n`;
  const last = `import { log, pay } from 'client';\nlog(pay(order));\n`;
  expect(programs([CLIENT, unrelated, orders, last]).at(-1)).toBe(
    `import { Client, log } from 'client';
import { pay } from 'client';

const client = new Client();
client.send();
const order = client.order();
log(pay(order));
`,
  );
});

test('a name that is declared again belongs to the block that does so', () => {
  const again = `const client = 'mine';\nlog(client, order);\n`;
  const [, , program] = programs([CLIENT, `const order = 1, client = 2;\n`, again]);
  expect(program).toBe(
    `import { Client, log } from 'client';

const client = new Client();
client.send();
{
const order = 1, client = 2;
{
const client = 'mine';
log(client, order);
}
}
`,
  );
});

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
