import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/v4';
import { standIn } from '../../hosts/pulumi/index.js';
import { inWorld } from '../../hosts/pulumi/scenarios/world.js';

jest.setTimeout(120_000);

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../../..');
const packedSchema = z.array(z.object({ filename: z.string() }));

/** Packs a workspace and unpacks it as npm installs it: a folder under node_modules, no link. */
async function install(workspace: string, name: string, modules: string, tarballs: string): Promise<void> {
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', tarballs, '-w', workspace],
    { cwd: ROOT },
  );
  const [packed] = packedSchema.parse(JSON.parse(stdout));
  await mkdir(path.join(modules, name));
  const tarball = path.join(tarballs, packed?.filename ?? '');
  await run('tar', ['-xzf', tarball, '-C', path.join(modules, name), '--strip-components=1']);
}

describe('the packed package, installed', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'audience-packed-'));
    const modules = path.join(folder, 'node_modules');
    await mkdir(modules);
    await install('pulumi-provider', 'pulumi-audience', modules, folder);
    await install('shared', 'audience-core', modules, folder);
    // What npm would fetch.
    for (const name of ['@pulumi', 'axios', 'csv-parse']) {
      await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name));
    }
    await symlink(path.join(ROOT, 'pulumi-provider/node_modules/zod'), path.join(modules, 'zod'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('declares properties and contacts, with less than 400 bytes of provider in state', async () => {
    const seed = { contacts: [{ email: 'ada@example.com' }] };
    await inWorld(standIn, { seed, modules: path.join(folder, 'node_modules') }, async (world) => {
      await world.program(`
        new ContactProperty('p', { name: 'plan', type: 'string' });
        new Contact('ada', { email: 'ada@example.com', properties: { plan: 'Pro' } });`);
      await world.up();
      expect(world.writes()).toEqual([
        'POST /v1/contacts/properties {"name":"plan","type":"string"} 200',
        'PUT /v1/contacts/ada@example.com {"plan":"Pro"} 200',
      ]);
      const providers = (await world.stack.resources()).map(({ inputs }) => String(inputs['__provider']));
      expect(providers.map((text) => text.length < 400)).toEqual([true, true]);
      expect(providers.join('')).toContain('require("pulumi-audience/dist/dynamic/providers/contact.js")');
      await world.program('');
      expect((await world.up()).summary.delete).toBe(2);
    });
  });
});
