import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packAll, unpack } from '../../hosts/installed/pack.js';

const run = promisify(execFile);
const PACKAGE = dirname(require.resolve('n8n-nodes-audience/package.json'));

let folder: string;
let unpacked: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'n8n-package-'));
  unpacked = await unpack((await packAll(folder))['n8n-nodes-audience'], folder);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** n8n's own scanner for packages that are to be verified; it is an ES module, which jest cannot load. */
async function scan(target: string, patterns: string): Promise<unknown> {
  const script = `
    import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
    const result = await analyzePackage(${JSON.stringify(target)}, ${patterns});
    console.log(JSON.stringify(result));`;
  // The rules treat every file as a node's main file when they believe to be tested themselves.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: PACKAGE,
    env,
  });
  return JSON.parse(stdout);
}

test("the packed package passes n8n's scanner", async () => {
  expect(await scan(unpacked, "['**/*.js', 'package.json']")).toEqual({ passed: true });
}, 60_000);

test("the sources pass n8n's scanner", async () => {
  expect(await scan(PACKAGE, 'SOURCE_FILE_PATTERNS')).toEqual({ passed: true });
}, 60_000);
