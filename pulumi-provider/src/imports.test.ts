import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const imports = new Map(
  readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => path.join(__dirname, file))
    .map((file) => {
      const found = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)\.js'/g);
      return [file, Array.from(found, ([, to = '']) => `${path.join(path.dirname(file), to)}.ts`)];
    }),
);

test('no files import each other in a circle, not by types either', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, above: readonly string[]): void => {
    if (above.includes(file)) circles.push([...above.slice(above.indexOf(file)), file].join(' -> '));
    if (above.includes(file) || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...above, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  expect(imports.size).toBeGreaterThan(40);
  expect(circles).toEqual([]);
});
