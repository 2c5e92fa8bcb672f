import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = createRequire(__filename).resolve('pulumi-audience/package.json');
const PLUGIN = path.join(path.dirname(PACKAGE), 'dist/bin/pulumi-resource-audience');

/** A file of the package, in a process whose Node says that it is of this version. */
const onNode = (version: string, file: string, ...args: string[]) => {
  const versions = `{ value: { ...process.versions, node: '${version}' } }`;
  const program = `Object.defineProperty(process, 'versions', ${versions}); require(${JSON.stringify(file)});`;
  return run(process.execPath, ['-e', program, file, ...args]);
};

test.each([
  ['pulumi-resource-audience', PLUGIN],
  ['pulumi-audience', 'pulumi-audience'],
  ['pulumi-audience', 'pulumi-audience/handlers'],
])('%s says which Node it needs on an older one (%s)', async (name, file) => {
  const sentence = `${name} needs Node 22 or newer, and the node on the PATH is 20.20.2. Install a newer one.`;
  const started = onNode('20.20.2', file, '127.0.0.1:1');
  await expect(started).rejects.toHaveProperty('code', 1);
  await expect(started).rejects.toHaveProperty('stderr', expect.stringContaining(sentence));
});

test('the plugin explains itself to a person who starts it', async () => {
  const { stdout } = await onNode('22.0.0', PLUGIN, '--help');
  expect(stdout).toContain('is a plugin of Pulumi. Pulumi starts it.');
  await expect(onNode('22.0.0', PLUGIN)).rejects.toMatchObject({ code: 2 });
});
