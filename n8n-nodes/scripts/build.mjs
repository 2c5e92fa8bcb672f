// Builds dist as n8n loads it. n8n asks verified packages for no runtime dependency, so what the node needs of
// audience-core and zod is bundled in; n8n-workflow is n8n's own.
import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
await rm(`${root}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['nodes/Audience/Audience.node.ts', 'credentials/AudienceApi.credentials.ts'],
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
});
await cp(`${root}nodes/Audience/Audience.node.json`, `${root}dist/nodes/Audience/Audience.node.json`);
// What is bundled keeps its licence with it.
await cp(
  fileURLToPath(import.meta.resolve('zod/package.json')).replace('package.json', 'LICENSE'),
  `${root}dist/LICENSE.zod`,
);
await cp(`${root}icons`, `${root}dist/icons`, { recursive: true });
