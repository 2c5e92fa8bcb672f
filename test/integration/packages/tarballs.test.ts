import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { PACKAGES, packAll, unpack, type PackageName, type Tarball } from '../../hosts/installed/pack.js';

const ROOT = resolve(__dirname, '../../..');

let folder: string;
let packed: Readonly<Record<PackageName, Tarball>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audience-tarballs-'));
  packed = await packAll(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const IN_EACH = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];

/** Beside those: all that people use, by the beginning and end of its path. */
const CONTENTS: Readonly<Record<PackageName, RegExp>> = {
  'audience-core':
    /^(dist\/(cjs|esm)\/.*(\.js|\.d\.ts)|dist\/(esm\/package\.json|LICENSES\.txt)|openapi\.json)$/,
  'audience-sandbox': /^(dist\/(.*(\.js|\.d\.ts)|LICENSES\.txt)|inbox\/(index\.html|inbox\.css|icon\.svg))$/,
  'pulumi-audience':
    /^(docs\/.*\.md|dist\/(.*(\.js|\.d\.ts)|plugin\/schema\.json|bin\/(pulumi-resource-audience(|\.cmd)|LICENSES\.txt)))$/,
  'n8n-nodes-audience':
    /^dist\/((nodes|credentials)\/.*\.js|nodes\/Audience\/(Audience\.node|__schema__\/.*)\.json|icons\/.*\.svg|LICENSES\.txt)$/,
};

test.each(PACKAGES)('%s holds its entry points, its licence, and nothing else', async (name) => {
  const { contents } = packed[name];
  expect(contents).toEqual(expect.arrayContaining(IN_EACH));
  const files = contents.filter((file) => !IN_EACH.includes(file));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => !CONTENTS[name].test(file) || file.includes('.test.'))).toEqual([]);
  const licence = join(dirname(require.resolve(`${name}/package.json`)), 'LICENSE');
  expect(await readFile(licence, 'utf8')).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8'));
});

// zod stands for what the core has built in, and so for what comes with a bundle of the core.
test.each([
  ['audience-core', 'dist', ['zod']],
  ['audience-sandbox', 'dist', ['audience-core', 'zod']],
  ['n8n-nodes-audience', 'dist', ['audience-core', 'zod']],
  ['pulumi-audience', 'dist/bin', ['@grpc/grpc-js', '@pulumi/pulumi', 'audience-core', 'axios', 'csv-parse']],
] as const)('%s holds the licence texts of what is bundled', async (name, directory, bundled) => {
  const root = await unpack(packed[name], folder);
  const texts = (await readFile(join(root, directory, 'LICENSES.txt'), 'utf8')).split(/^-{80}\n/m);
  const entries = texts.map(
    (text) => /^(\S+) \d+\.\d+\.\d+ \(.+\)\n\n(.{20,})/s.exec(text)?.slice(1) ?? [text],
  );
  expect(entries.filter(([, text]) => text === undefined)).toEqual([]);
  expect(entries.map(([one]) => one)).toEqual(expect.arrayContaining([...bundled]));
});

test.each(PACKAGES)('%s names no source map, as it ships none', async (name) => {
  const root = await unpack(packed[name], folder);
  const files = packed[name].contents.filter((file) => /\.(js|d\.ts)$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  expect(files.filter((_, index) => /^\/\/# sourceMappingURL/m.test(texts[index] ?? ''))).toEqual([]);
});

async function bundleOf(contents: string, platform: 'browser' | 'node') {
  const options = { bundle: true, minify: true, write: false, metafile: true, format: 'esm' } as const;
  const stdin = { contents, resolveDir: ROOT };
  const { outputFiles, metafile } = await build({ ...options, stdin, platform, logLevel: 'silent' });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
  return { size: outputFiles[0]?.contents.byteLength, imports };
}

test('a bundle of one function of audience-core holds neither axios, zod nor the client', async () => {
  const { size } = await bundleOf("export { canonicalJson } from 'audience-core/internal'", 'node');
  expect(size).toBeLessThan(1_000);
});

test('the bundle of audience-core/fetch is small and has no Node modules', async () => {
  const { size, imports } = await bundleOf("export * from 'audience-core/fetch'", 'browser');
  expect(imports.filter((path) => path.startsWith('node:') || path.includes('axios'))).toEqual([]);
  expect(size).toBeLessThan(100_000);
});
