// What tsc does not write: the types of dist/esm, which are those of dist/cjs, the marker that it holds ES modules, and
// the part of zod that this package uses, as one file with its licence.
import { cp, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeLicences } from './licences.mjs';

const inPackage = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const zodFolder = createRequire(inPackage('package.json'))
  .resolve('zod/package.json')
  .replace(/package\.json$/, '');
const licence = (await readFile(`${zodFolder}LICENSE`, 'utf8')).trim();

await cp(inPackage('dist/cjs'), inPackage('dist/esm'), {
  recursive: true,
  filter: async (path) => path.endsWith('.d.ts') || (await stat(path)).isDirectory(),
});
await writeFile(
  inPackage('dist/esm/package.json'),
  `${JSON.stringify({ type: 'module', sideEffects: false })}\n`,
);
for (const format of ['cjs', 'esm']) {
  const { metafile } = await build({
    entryPoints: [inPackage('src/zod.ts')],
    outfile: inPackage(`dist/${format}/zod.js`),
    bundle: true,
    platform: 'neutral',
    target: 'es2023',
    format,
    banner: { js: `/*! Parts of zod.\n${licence}\n*/` },
    logLevel: 'warning',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    metafile: true,
  });
  writeLicences(inPackage('.'), metafile, 'dist');
}
