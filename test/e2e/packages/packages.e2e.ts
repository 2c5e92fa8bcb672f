import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { inspect, promisify } from 'node:util';
import { PACKAGES, packAll, unpack, type PackageName, type Tarball } from '../../hosts/installed/pack';

const ROOT = resolve(__dirname, '../../..');
const NODE_PACKAGE = dirname(require.resolve('n8n-nodes-audience/package.json'));
const execute = promisify(execFile);

/** What a tool of .ci/tools says, whether it finds something or not. */
async function tool(...args: readonly string[]): Promise<string> {
  const run = execute('node', [join(ROOT, '.ci/tools/run.mjs'), ...args], { cwd: ROOT });
  return run.then(
    ({ stdout }) => stdout,
    (error: unknown) => inspect(error, { maxStringLength: Infinity }),
  );
}

let folder: string;
let packed: Readonly<Record<PackageName, Tarball>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audience-published-'));
  packed = await packAll(folder);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(PACKAGES)('publint finds nothing in %s', async (name) => {
  expect(await tool('publint', 'run', '--strict', packed[name].file)).toContain('All good');
});

test.each(['audience-core', 'audience-sandbox', 'pulumi-audience'] as const)(
  'arethetypeswrong finds nothing in %s',
  async (name) => {
    expect(await tool('attw', packed[name].file, '--no-color')).toContain('No problems found');
  },
);

test("Spectral's own rules find nothing in the document of the interface", async () => {
  const rules = join(__dirname, 'spectral.yaml');
  expect(
    await tool('spectral', 'lint', 'shared/openapi.json', '--ruleset', rules, '--fail-severity', 'hint'),
  ).toContain("No results with a severity of 'hint' or higher found!");
});

/** n8n's own scanner for packages that are to be verified; it is an ES module, which jest cannot load. */
test.each([
  ['the packed node', () => unpack(packed['n8n-nodes-audience'], folder), "['**/*.js', 'package.json']"],
  ['the sources of the node', () => NODE_PACKAGE, 'SOURCE_FILE_PATTERNS'],
] as const)("n8n's scanner passes %s", async (_what, target, patterns) => {
  const script = `
    import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
    const result = await analyzePackage(${JSON.stringify(await target())}, ${patterns});
    console.log(JSON.stringify(result));`;
  // The rules treat every file as a node's main file when they believe to be tested themselves.
  const env = { ...process.env, NODE_ENV: 'production' };
  const args = ['--input-type=module', '-e', script];
  const { stdout } = await execute(process.execPath, args, { cwd: NODE_PACKAGE, env });
  expect(JSON.parse(stdout)).toEqual({ passed: true });
});
