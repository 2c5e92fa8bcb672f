import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
const SOURCES = ['shared/src', 'pulumi-provider/src', 'n8n-nodes/nodes', 'test/sandbox/src', 'test/hosts'];

/** The folders that each folder imports, other than those above and below it. */
function importedFolders(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>();
  const isNoSource = (name: string): boolean => name.includes('node_modules') || name.includes('dist');
  for (const file of globSync(`${root}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: isNoSource })) {
    const from = dirname(file);
    const known = folders.get(from) ?? new Set();
    folders.set(from, known);
    for (const [, target = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const to = dirname(join(from, target));
      if (!`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`)) known.add(to);
    }
  }
  return folders;
}

/** A way of imports from a folder back to itself. */
function cycleFrom(folders: ReadonlyMap<string, ReadonlySet<string>>, start: string): string[] {
  const seen = new Set<string>();
  const visit = (folder: string): string[] => {
    for (const next of folders.get(folder) ?? []) {
      if (next === start) return [folder, start];
      if (seen.has(next)) continue;
      seen.add(next);
      const way = visit(next);
      if (way.length > 0) return [folder, ...way];
    }
    return [];
  };
  return visit(start);
}

test.each(SOURCES)('no folder of %s imports another one in a circle', (root) => {
  const folders = importedFolders(root);
  expect(folders.size).toBeGreaterThan(1);
  for (const folder of folders.keys()) expect(cycleFrom(folders, folder)).toEqual([]);
});
