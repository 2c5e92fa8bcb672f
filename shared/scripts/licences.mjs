// The licences of what a bundle holds: what is bundled keeps its licence with it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const FILE = 'LICENSES.txt';
const LINE = `\n${'-'.repeat(80)}\n`;

/**
 * Writes `LICENSES.txt` into a folder: name, version and licence text of each package that a bundle took files of. A
 * package of this repository counts with what it has bundled itself.
 *
 * @param own folder of the package that is built
 * @param metafile of esbuild
 * @param folder for the file, relative to `own`
 */
export function writeLicences(own, metafile, folder) {
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0),
  );
  const packages = new Set(used.map((input) => packageOf(resolve(own, input))));
  packages.delete(resolve(own));
  const entries = [...packages].flatMap((one) => [entryOf(one), ...bundledIn(one)]);
  writeFileSync(resolve(own, folder, FILE), [...new Set(entries)].sort().join(LINE));
}

function packageOf(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name !== undefined) return folder;
  }
  throw new Error(`${file} is in no package.`);
}

function entryOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${licenceOf(folder)}\n`;
}

function licenceOf(folder) {
  const texts = (pattern) =>
    readdirSync(folder)
      .filter((file) => pattern.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const files = texts(/^(licen[cs]e|notice)/i);
  if (files.length > 0) return files.join('\n\n');
  const [inReadme] = /^#* *licen[cs]e\b.*/ims.exec(texts(/^readme/i).join('\n')) ?? [];
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return inReadme ?? `The package has no licence text. Its author: ${author?.name ?? author}.`;
}

function bundledIn(folder) {
  const file = join(folder, 'dist', FILE);
  return existsSync(file) ? readFileSync(file, 'utf8').split(LINE) : [];
}
