// What tsc does not write: the marker that dist/esm holds ES modules, and the generated OpenAPI document.
import { writeFile } from 'node:fs/promises';

await writeFile(
  new URL('../dist/esm/package.json', import.meta.url),
  `${JSON.stringify({ type: 'module', sideEffects: false })}\n`,
);
const { openApiDocument } = await import('../dist/esm/index.js');
await writeFile(
  new URL('../openapi.json', import.meta.url),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
);
