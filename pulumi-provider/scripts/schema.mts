// Writes Pulumi's schema of the package, made of the schemas that the checks use; a test says when it is stale.
import { writeFile } from 'node:fs/promises';
import manifest from '../package.json' with { type: 'json' };
import { packageSpec } from '../src/plugin/schema/package-spec.js';

const file = new URL('../src/plugin/schema.json', import.meta.url);
await writeFile(file, `${JSON.stringify(packageSpec(manifest), null, 2)}\n`);
