// Writes what Pulumi's registry reads of a provider into a folder: `node .ci/registry-mirror.mjs FOLDER`.
// The registry wants a repository named pulumi-NAME, with docs/ and a schema at fixed paths and tags such as v1.2.3. This
// repository holds four packages, so a release copies these files into a repository of their own.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Which folder? node .ci/registry-mirror.mjs FOLDER');
const provider = fileURLToPath(new URL('../pulumi-provider', import.meta.url));
const OVERVIEW = 'docs/_index.md';
const INSTALLATION = 'docs/installation-configuration.md';

/** Copied files, and their paths in the mirror. */
const FILES = {
  'src/plugin/schema.json': 'schema.json',
  [OVERVIEW]: OVERVIEW,
  [INSTALLATION]: INSTALLATION,
  'README.md': 'README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
};
for (const [from, to] of Object.entries(FILES)) {
  const target = path.join(folder, to);
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(path.join(provider, from), target);
}
const read = (name) => readFileSync(path.join(folder, name), 'utf8');
const schema = JSON.parse(read('schema.json'));
writeFileSync(path.join(folder, 'VERSION'), `v${schema.version}\n`);

// What the registry's checklist for a new package asks for.
const overview = read(OVERVIEW);
const languages = /chooser language "([^"]+)"/.exec(overview)?.[1]?.split(',') ?? [];
const checks = {
  'the schema has a name, a description, a publisher, a license, a repository and a logo': [
    'name',
    'description',
    'publisher',
    'license',
    'repository',
    'logoUrl',
  ].every((field) => typeof schema[field] === 'string' && schema[field] !== ''),
  'the schema says where the plugin is downloaded': /^(https|github):\/\//.test(schema.pluginDownloadURL),
  'the schema has a category': schema.keywords.some((keyword) => keyword.startsWith('category/')),
  'the version is a semantic version': /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(schema.version),
  'both pages have a title, a description and the layout of a package': [overview, read(INSTALLATION)].every(
    (page) => /^---\ntitle: Audience.*\nmeta_desc: .{20,160}\nlayout: package\n---\n/.test(page),
  ),
  'the overview has an example in each language that it offers':
    languages.length > 0 &&
    languages.every((language) => overview.includes(`choosable language ${language} %}}\n\n\`\`\``)),
  'the installation page shows the configuration': /pulumi config set/.test(read(INSTALLATION)),
  'the installation page names the environment': /AUDIENCE_API_KEY/.test(read(INSTALLATION)),
};
const failed = Object.keys(checks).filter((name) => !checks[name]);
for (const name of failed) console.error(`Not so: ${name}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
