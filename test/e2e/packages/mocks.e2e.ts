import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { codeBlocks } from '../../hosts/installed/readme.js';

const README = readFileSync(resolve(__dirname, '../../../pulumi-provider/docs/testing.md'), 'utf8');
const PROGRAM = `
  const { Contact, ContactProperty } = require('pulumi-audience');
  exports.plan = new ContactProperty('plan', { name: 'plan', type: 'string' });
  exports.ada = new Contact('ada', { email: 'ada@example.com', properties: { plan: 'Pro' } });`;

test("a program is tested with Pulumi's mocks, as the README shows it", async () => {
  const [block = ''] = codeBlocks(README, 'mjs');
  const folder = await mkdtemp(join(tmpdir(), 'audience-mocks-'));
  try {
    await symlink(resolve(__dirname, '../../../node_modules'), join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, 'program.test.mjs'), block);
    await mkdir(join(folder, 'bin'));
    const run = async (program: string): Promise<string> => {
      await writeFile(join(folder, 'bin/index.js'), program);
      return promisify(execFile)(process.execPath, ['--test'], { cwd: folder }).then(
        ({ stdout }) => stdout,
        (error: unknown) => String(error),
      );
    };
    expect(await run(PROGRAM)).toMatch(/pass 1\b/);
    expect(await run(PROGRAM.replace("'Pro'", "'Free'"))).toContain('Command failed');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
