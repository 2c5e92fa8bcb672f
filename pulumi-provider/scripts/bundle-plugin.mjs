// Bundles the plugin into one file that needs Node and nothing else: the engine starts it from wherever it lies.
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = `${root}dist/bin/pulumi-resource-audience`;
await mkdir(`${root}dist/bin`, { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: ['src/plugin/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  minify: true,
  keepNames: true,
  // What is bundled keeps its licence with it.
  legalComments: 'linked',
  logLevel: 'warning',
});
await chmod(outfile, 0o755);
