// Builds dist as n8n loads it. n8n asks verified packages for no runtime dependency, so what the node needs of
// audience-core and zod is bundled in; n8n-workflow is n8n's own.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
await rm(`${root}dist`, { recursive: true, force: true });
/** How both the package and what the build itself needs of it are bundled. */
const common = {
  absWorkingDir: root,
  outdir: 'dist',
  outbase: '.',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  conditions: ['import'],
  mainFields: ['module', 'main'],
  // The part of zod that audience-core has built in is all that the node needs.
  alias: { 'zod/mini': fileURLToPath(new URL('zod.js', import.meta.resolve('audience-core'))) },
  external: ['n8n-workflow', 'node:*'],
  // n8n forbids nodes the global object. zod keeps its registry there, to share it between copies of zod; this
  // copy keeps it to itself.
  define: { globalThis: 'moduleScope' },
  banner: { js: 'const moduleScope = {};' },
  logLevel: 'warning',
};
await build({
  ...common,
  entryPoints: ['nodes/Audience/Audience.node.ts', 'credentials/AudienceApi.credentials.ts'],
});
await writePreviews();

await cp(`${root}nodes/Audience/Audience.node.json`, `${root}dist/nodes/Audience/Audience.node.json`);
// What is bundled keeps its licence with it.
for (const name of ['zod']) {
  const folder = dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
  await cp(`${folder}/LICENSE`, `${root}dist/LICENSE.${name}`);
}
await cp(`${root}icons`, `${root}dist/icons`, { recursive: true });

/** Where n8n looks for what the editor shows of an operation's output before the node has run. */
async function writePreviews() {
  const registry = 'nodes/Audience/actions/resources';
  await build({ ...common, entryPoints: [`${registry}.ts`] });
  const require = createRequire(import.meta.url);
  const { RESOURCES } = require(`${root}dist/${registry}.js`);
  const { Audience } = require(`${root}dist/nodes/Audience/Audience.node.js`);
  const versions = [new Audience().description.version].flat();
  await rm(`${root}dist/nodes/Audience/actions`, { recursive: true });
  for (const { version, resource } of versions.flatMap((version) =>
    RESOURCES.map((resource) => ({ version, resource })),
  )) {
    // Of version 1 in v1.0.0, of 1.1 in v1.1.0.
    const [major, minor = 0] = String(version).split('.');
    const folder = `${root}dist/nodes/Audience/__schema__/v${major}.${minor}.0/${resource.value}`;
    await mkdir(folder, { recursive: true });
    for (const { value, output } of resource.operations) {
      const properties = Object.fromEntries(
        Object.entries(output).map(([name, type]) => [
          name,
          type === 'array' ? { type, items: { type: 'string' } } : { type },
        ]),
      );
      await writeFile(
        `${folder}/${value}.json`,
        JSON.stringify({ type: 'object', properties, version: 1 }, null, 2),
      );
    }
  }
}
