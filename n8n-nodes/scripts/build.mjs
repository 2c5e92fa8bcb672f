// Builds dist as n8n loads it. n8n asks verified packages for no runtime dependency, so what the node needs of
// audience-core and zod is bundled in; n8n-workflow is n8n's own.
import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeLicences } from '../../shared/scripts/licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await rm(`${root}dist`, { recursive: true, force: true });
const { metafile } = await build({
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
  metafile: true,
  logLevel: 'warning',
});

// The previews are what the editor shows of an operation's output before the node has run.
for (const name of ['Audience.node.json', '__schema__'])
  await cp(`${root}nodes/Audience/${name}`, `${root}dist/nodes/Audience/${name}`, { recursive: true });
await cp(`${root}icons`, `${root}dist/icons`, { recursive: true });
writeLicences(root, metafile, 'dist');
