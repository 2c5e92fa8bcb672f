import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
const SOURCES = ['shared/src', 'pulumi-provider/src', 'n8n-nodes/nodes', 'test/sandbox/src', 'test/hosts'];
const PACKAGES = ['shared', 'pulumi-provider', 'n8n-nodes', 'test/sandbox'];

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** What each source imports by a relative path, types included. */
function importedFiles(root: string): Graph {
  const isNoSource = (name: string): boolean => name.includes('node_modules') || name.includes('dist');
  const files = globSync(`${root}/**/*.{ts,mts}`, { cwd: ROOT, exclude: isNoSource });
  return new Map(files.map((file) => [file, new Set(importsOf(file))]));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const imports = /^(?:import|export)\b[^;]*? from '(\.[^']+)'|\bimport\(?\s?'(\.[^']+)'/gm;
  return [...text.matchAll(imports)]
    .map(([, named = '', bare = named]) => join(dirname(file), bare.replace(/\.(m?)js$/, '.$1ts')))
    .filter((path) => existsSync(join(ROOT, path)));
}

/** The folders that each folder imports, other than those above and below it. */
function importedFolders(files: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of files) {
    const from = dirname(file);
    const known = folders.get(from) ?? new Set();
    folders.set(from, known);
    for (const to of [...imported].map(dirname)) {
      if (!`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`)) known.add(to);
    }
  }
  return folders;
}

/** A way of imports from a file or folder back to itself. */
function cycleFrom(graph: Graph, start: string): string[] {
  const seen = new Set<string>();
  const visit = (one: string): string[] => {
    for (const next of graph.get(one) ?? []) {
      if (next === start) return [one, start];
      if (seen.has(next)) continue;
      seen.add(next);
      const way = visit(next);
      if (way.length > 0) return [one, ...way];
    }
    return [];
  };
  return visit(start);
}

// Unit tests are no part of their folder: one may set up what it needs of another.
test.each(SOURCES)('no folder of %s imports another one in a circle', (root) => {
  const files = [...importedFiles(root)].filter(([file]) => !file.endsWith('.test.ts'));
  const folders = importedFolders(new Map(files));
  expect(folders.size).toBeGreaterThan(1);
  for (const folder of folders.keys()) expect(cycleFrom(folders, folder)).toEqual([]);
});

test.each([...PACKAGES, 'test'])('no file of %s imports itself through others', (root) => {
  const files = importedFiles(root);
  expect([...files.values()].some((imported) => imported.size > 3)).toBe(true);
  for (const file of files.keys()) expect(cycleFrom(files, file)).toEqual([]);
});

/** Tests that may look inside a package. */
const FREE = /^test\/(hosts|e2e|bench|demo)\//;

/** The package whose folder holds a file; the other tests are in none. */
function packageOf(file: string): string | undefined {
  return PACKAGES.find((folder) => file.startsWith(`${folder}/`));
}

test.each([...PACKAGES, 'test'])('no file of %s reaches into another package by a path', (root) => {
  for (const [file, imported] of importedFiles(root)) {
    if (FREE.test(file)) continue;
    const outside = [...imported].filter((path) => packageOf(path) !== packageOf(file));
    expect([file, outside]).toEqual([file, []]);
  }
});
