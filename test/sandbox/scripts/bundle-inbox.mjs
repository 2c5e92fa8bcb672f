// Bundles the inbox into one file for the browser.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeLicences } from '../../../shared/scripts/licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['inbox/src/main.ts'],
  outfile: 'dist/inbox/inbox.js',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  external: ['node:*'],
  metafile: true,
  logLevel: 'warning',
});
writeLicences(root, metafile, 'dist');
