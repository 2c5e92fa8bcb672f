import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { call } from './call.js';
import { ready } from './command.js';

jest.setTimeout(120_000);

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../../..');

/** A project of somebody else's: nothing of this repository but the packed packages. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'audience-sandbox-'));
  const workspaces = ['-w', 'shared', '-w', 'test/sandbox'];
  await run('npm', ['pack', '--silent', '--pack-destination', project, ...workspaces], { cwd: ROOT });
  const tarballs = (await readdir(project)).map((name) => join(project, name));
  expect(tarballs).toHaveLength(2);
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  const flags = ['--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...flags, ...tarballs], { cwd: project });
});
afterAll(() => rm(project, { recursive: true, force: true }));

test('npx audience-sandbox explains itself', async () => {
  const { stdout } = await run('npx', ['audience-sandbox', '--help'], { cwd: project });
  expect(stdout).toContain('--seed');
});

test('the installed command serves the service and the inbox with all its files', async () => {
  const command = await ready(
    spawn(join(project, 'node_modules/.bin/audience-sandbox'), ['--port', '0'], { cwd: project }),
  );
  try {
    expect((await call(command, 'GET', '/v1/subscription-groups')).status).toBe(200);
    const page = await (await fetch(command.url)).text();
    const files = [...page.matchAll(/(?:href|src)="(\/inbox\/[^"#]+)"/g)].map(([, file]) => file ?? '');
    expect(new Set(files)).toEqual(new Set(['/inbox/icon.svg', '/inbox/inbox.css', '/inbox/inbox.js']));
    for (const file of files) expect((await fetch(command.url + file)).status).toBe(200);
  } finally {
    expect(await command.end('SIGINT')).toBe(0);
  }
});

test('a program starts one with types and no build step', async () => {
  const program = `
    const { startSandbox } = require('audience-sandbox');
    startSandbox({ port: 0, seed: { contacts: [{ email: 'ada@example.com' }] } }).then(async (sandbox) => {
      console.log(sandbox.contacts().map(({ email }) => email).join());
      await sandbox.close();
    });`;
  const { stdout } = await run('node', ['-e', program], { cwd: project });
  expect(stdout).toBe('ada@example.com\n');
});
