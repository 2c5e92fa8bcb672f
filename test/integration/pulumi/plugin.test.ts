import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = createRequire(__filename).resolve('pulumi-audience/package.json');
const PLUGIN = path.join(path.dirname(PACKAGE), 'dist/bin/pulumi-resource-audience');

/** The plugin, in a process whose Node says that it is of this version. */
const onNode = (version: string, ...args: string[]) => {
  const versions = `{ value: { ...process.versions, node: '${version}' } }`;
  const program = `Object.defineProperty(process, 'versions', ${versions}); require(${JSON.stringify(PLUGIN)});`;
  return run(process.execPath, ['-e', program, PLUGIN, ...args]);
};

test('the plugin says which Node it needs on an older one', async () => {
  await expect(onNode('20.20.2', '127.0.0.1:1')).rejects.toMatchObject({
    code: 1,
    stderr:
      'pulumi-resource-audience needs Node 22 or newer, and the node on the PATH is 20.20.2. Install a newer one.\n',
  });
});

test('the plugin explains itself to a person who starts it', async () => {
  const { stdout } = await onNode('22.0.0', '--help');
  expect(stdout).toContain('is a plugin of Pulumi, which starts it by itself');
  await expect(onNode('22.0.0')).rejects.toMatchObject({ code: 2 });
});
