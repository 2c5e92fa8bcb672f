// Bundles the plugin into one file that needs Node and nothing else: the engine starts it from wherever it lies.
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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

// What is bundled keeps its licence with it.
const packages = new Set(
  Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
);
const licences = [];
for (const folder of [...packages].sort()) {
  const files = (await readdir(path.join(root, folder))).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const { name, version, license } = JSON.parse(
    await readFile(path.join(root, folder, 'package.json'), 'utf8'),
  );
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, folder, file), 'utf8')));
  licences.push(`${name} ${version} (${license})\n\n${texts.join('\n')}`);
}
await writeFile(path.join(path.dirname(outfile), 'LICENSES.txt'), licences.join(`\n${'-'.repeat(80)}\n`));
