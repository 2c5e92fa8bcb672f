import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect, promisify } from 'node:util';
import { PACKAGES, packAll, type PackageName, type Tarball } from '../../hosts/installed/pack';

const ROOT = resolve(__dirname, '../../..');
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
});
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
