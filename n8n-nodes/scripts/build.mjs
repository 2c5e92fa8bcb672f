// Builds dist as n8n loads it. n8n asks verified packages for no runtime dependency, so what the node needs of
// audience-core and zod is bundled in; n8n-workflow is n8n's own.
import { cp, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
await rm(`${root}dist`, { recursive: true, force: true });
await build({
  entryPoints: ['nodes/Audience/Audience.node.ts', 'credentials/AudienceApi.credentials.ts'],
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
  // n8n forbids nodes the global object and the process. zod keeps its registry there, to share it between copies of zod; this
  // copy keeps it to itself.
  define: { globalThis: 'moduleScope', process: 'moduleScope' },
  banner: { js: 'const moduleScope = {};' },
  logLevel: 'warning',
});

// The previews are what the editor shows of an operation's output before the node has run.
for (const name of ['Audience.node.json', '__schema__'])
  await cp(`${root}nodes/Audience/${name}`, `${root}dist/nodes/Audience/${name}`, { recursive: true });
// What is bundled keeps its licence with it.
for (const name of ['zod']) {
  const folder = dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
  await cp(`${folder}/LICENSE`, `${root}dist/LICENSE.${name}`);
}
await cp(`${root}icons`, `${root}dist/icons`, { recursive: true });
