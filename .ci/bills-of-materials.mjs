// Writes the tarball and the bill of materials of each package into a folder: `node .ci/bills-of-materials.mjs FOLDER`.
// A bill names what npm installs with the tarball, and what the package has bundled (its LICENSES.txt).
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('Which folder? node .ci/bills-of-materials.mjs FOLDER');

const { workspaces } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
const work = await mkdtemp(path.join(tmpdir(), 'audience-bills-'));
try {
  await mkdir(out, { recursive: true });
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', out];
  const { stdout } = await run('npm', [...packing, ...workspaces.flatMap((one) => ['-w', one])], {
    cwd: root,
  });
  const tarballs = new Map(
    JSON.parse(stdout).map(({ name, filename }) => [name, path.resolve(out, filename)]),
  );
  await Promise.all([...tarballs.keys()].map((name) => writeBill(name, tarballs)));
} finally {
  await rm(work, { recursive: true, force: true });
}

async function writeBill(name, tarballs) {
  const folder = path.join(work, name);
  await mkdir(folder);
  await run('tar', ['-xzf', tarballs.get(name), '-C', folder, '--strip-components', '1']);
  const file = path.join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  // An installed package does not have them, but npm would miss them.
  delete manifest.devDependencies;
  await writeFile(file, JSON.stringify(manifest));
  const declared = Object.keys(manifest.dependencies ?? {});
  const siblings = declared.flatMap((one) => tarballs.get(one) ?? []);
  const install = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...siblings];
  await run('npm', install, { cwd: folder });
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'];
  const { stdout } = await run('npm', sbom, { cwd: folder, maxBuffer: 2 ** 26 });
  const bill = JSON.parse(stdout);
  for (const component of bill.components) {
    component.externalReferences = component.externalReferences?.filter(
      ({ url }) => !url.startsWith('file:'),
    );
  }
  const files = await readdir(folder, { recursive: true });
  const licences = files.find((one) => /^dist\b.*\bLICENSES\.txt$/.test(one));
  const known = new Set(bill.components.map(({ purl }) => purl));
  const bundled = licences === undefined ? [] : parts(await readFile(path.join(folder, licences), 'utf8'));
  bill.components.push(...bundled.filter(({ purl }) => !known.has(purl)));
  const names = new Set(bill.components.map((one) => one.name));
  const missing = declared.filter((one) => !names.has(one));
  if (missing.length > 0) throw new Error(`The bill of materials of ${name} lacks ${missing.join(', ')}.`);
  await writeFile(path.join(out, `${name}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  console.log(`${name}: ${bill.components.length} components, ${bundled.length} of them bundled`);
}

/** Components of a LICENSES.txt. */
function parts(licences) {
  return [...licences.matchAll(/^(@?[\w./-]+) (\d+\.\d+\.\d+\S*) \((.+)\)$/gm)].map(
    ([, name, version, licence]) => ({
      'bom-ref': `${name}@${version}`,
      type: 'library',
      name,
      version,
      scope: 'required',
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: [{ expression: licence }],
      properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    }),
  );
}
