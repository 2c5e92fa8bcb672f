// Bundles the plugin into one file that needs Node and nothing else: the engine starts it from wherever it lies.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeLicences } from '../../shared/scripts/licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = path.join(root, 'dist/bin/pulumi-resource-audience');
await mkdir(path.dirname(outfile), { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/plugin/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  minify: true,
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
});
await chmod(outfile, 0o755);
// What Windows starts instead.
await writeFile(`${outfile}.cmd`, '@node "%~dp0pulumi-resource-audience" %*\r\n');
writeLicences(root, metafile, 'dist/bin');
