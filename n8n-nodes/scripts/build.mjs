// Builds dist as n8n loads it. n8n asks verified packages for no runtime dependency, so what the node needs of
// audience-core is bundled in; n8n-workflow and zod are n8n's own.
import { cp, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
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
  external: ['n8n-workflow', 'zod', 'zod/*', 'node:*'],
  logLevel: 'warning',
});
await cp(`${root}nodes/Audience/Audience.node.json`, `${root}dist/nodes/Audience/Audience.node.json`);
await cp(`${root}icons`, `${root}dist/icons`, { recursive: true });
