import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientChecks, compileChecks, providerChecks, withSandbox } from '../../hosts/installed/checks.js';
import { packAll } from '../../hosts/installed/pack.js';
import { InstalledProject } from '../../hosts/installed/project.js';
import { standIn } from '../../hosts/pulumi/index.js';

const run = promisify(execFile);

/** What npm gives people who follow the READMEs today. The versions that are promised besides: npm run test:hosts. */
let project: InstalledProject;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audience-packed-'));
  const packed = await packAll(folder);
  project = await InstalledProject.install(
    [packed['audience-core'], packed['audience-sandbox'], packed['pulumi-audience']],
    // The newest TypeScript that @pulumi/pulumi takes.
    { '@pulumi/pulumi': 'latest', typescript: '6', '@types/node': '22' },
    '--prefer-offline',
  );
});
afterAll(async () => {
  await project.remove();
  await rm(folder, { recursive: true, force: true });
});

for (const check of [...compileChecks('strictest'), ...clientChecks, ...providerChecks]) {
  test(check.name, () => check.run(project, standIn));
}

test('the document of the interface comes with audience-core', async () => {
  const program = "console.log(require('audience-core/openapi.json').openapi)";
  const { stdout } = await run(process.execPath, ['-e', program], { cwd: project.dir });
  expect(stdout).toBe('3.1.0\n');
});

test('npx audience-sandbox explains itself', async () => {
  const { stdout } = await run('npx', ['audience-sandbox', '--help'], { cwd: project.dir });
  expect(stdout).toContain('--seed');
});

test('the installed sandbox serves the inbox with all its files', () =>
  withSandbox(project, async ({ url }) => {
    const page = await (await fetch(url)).text();
    const files = [...page.matchAll(/(?:href|src)="(\/inbox\/[^"#]+)"/g)].map(([, file]) => file ?? '');
    expect(new Set(files)).toEqual(new Set(['/inbox/icon.svg', '/inbox/inbox.css', '/inbox/inbox.js']));
    for (const file of files) expect((await fetch(url + file)).status).toBe(200);
  }));
