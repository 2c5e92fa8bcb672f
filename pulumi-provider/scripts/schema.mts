// Writes Pulumi's schema of the package, made of the schemas that the checks use; a test says when it is stale.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import manifest from '../package.json' with { type: 'json' };
import { packageSpec } from './schema/package-spec.js';

const file = fileURLToPath(new URL('../src/plugin/schema.json', import.meta.url));
const text = JSON.stringify(packageSpec(manifest), null, 2);
await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
