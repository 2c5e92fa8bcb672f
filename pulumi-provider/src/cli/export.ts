import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { createClient } from '../engine/connection.js';
import { problem } from '../messages.js';
import { ResourceError } from '../resources/errors.js';
import { PROJECTS } from './projects.js';

const USAGE = `Usage: pulumi-audience export [--format typescript|yaml] [--out DIR] [--name NAME] [--force]

Writes a Pulumi project that declares the contact properties of a service. Its first 'pulumi up' manages them and writes
nothing to the service. In YAML it is for the native plugin, with a file for 'pulumi import --file' beside it.

  --format F   'typescript' unless given, or 'yaml'
  --out DIR    folder to write to; 'audience' unless given
  --name NAME  name of the project; 'audience' unless given
  --force      replaces existing files

The service is named by the environment variables AUDIENCE_BASE_URL and AUDIENCE_API_KEY.
`;

const manifestSchema = z.object({ version: z.string() });

/**
 * Writes a project with the contact properties of the service, and returns the exit status.
 *
 * @throws ResourceError when files exist already; AudienceError when the service cannot be read.
 */
export async function exportProperties(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'typescript' },
      out: { type: 'string', default: 'audience' },
      name: { type: 'string', default: 'audience' },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.length > 0) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 2;
  }
  const { format, out, name, force } = values;
  const make = Object.hasOwn(PROJECTS, format) ? PROJECTS[format] : undefined;
  if (make === undefined) {
    process.stderr.write(`Unknown format '${format}'. Use one of ${Object.keys(PROJECTS).join(', ')}.\n`);
    return 2;
  }
  const client = createClient(() => undefined, 'environment');
  const properties = await client.properties.list({ list: 'custom' }).finally(() => client.close());
  const manifest: unknown = JSON.parse(await readFile(path.join(__dirname, '../../package.json'), 'utf8'));
  const { version } = manifestSchema.parse(manifest);
  const files = make(name, version, properties);
  const existing = Object.keys(files).filter((file) => existsSync(path.join(out, file)));
  if (existing.length > 0 && !force) {
    throw new ResourceError(problem('export.exists', { folder: out, files: existing }));
  }
  await mkdir(out, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(out, file), text);
  const install =
    format === 'yaml' ? `pulumi plugin install resource audience ${version} --file TARBALL` : 'npm install';
  process.stdout.write(
    `Wrote ${Object.keys(files).join(', ')} to '${out}'. Next:\n\n  cd ${out}\n  ${install}\n  pulumi stack init dev\n  pulumi config set audience:baseUrl ${client.baseUrl}\n  pulumi config set --secret audience:apiKey\n  pulumi up\n`,
  );
  return 0;
}
