// Packs the plugin as `pulumi plugin install resource audience X --file` reads it, and as a release serves it: one
// tarball for each system, all with the same script, which runs on the Node of the machine (22 or newer).
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(root, 'dist/plugins'));
const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
const folder = await mkdtemp(path.join(tmpdir(), 'audience-plugin-'));
const plugin = 'pulumi-resource-audience';
try {
  await mkdir(out, { recursive: true });
  for (const file of [plugin, `${plugin}.cmd`, 'LICENSES.txt']) {
    await copyFile(path.join(root, 'dist/bin', file), path.join(folder, file));
  }
  await copyFile(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  for (const os of ['linux', 'darwin', 'windows']) {
    for (const arch of ['amd64', 'arm64']) {
      const file = path.join(out, `${plugin}-v${version}-${os}-${arch}.tar.gz`);
      const start = os === 'windows' ? [`${plugin}.cmd`] : [];
      // The same content makes the same tarball.
      const options = { file, cwd: folder, gzip: true, portable: true, mtime: new Date(0) };
      await create(options, [plugin, ...start, 'LICENSE', 'LICENSES.txt']);
      console.log(file);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
