// Copies the project's names, addresses and version from the root package.json to all files that need them.
// With --check it only reports what differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name) => readFileSync(file(name), 'utf8');

const { author, repository, workspaces } = JSON.parse(read('package.json'));
const { version } = JSON.parse(read(`${workspaces[0]}/package.json`));
const address = repository.url.replace(/^git\+|\.git$/g, '');
const [, owner] = /([^/]+)\/[^/]+$/.exec(address);
const [, go] = /^go (\S+)$/m.exec(read('.ci/tools/pulumi/go.mod'));

/** What each file should hold, by its name. */
const wanted = Object.fromEntries(
  workspaces.map((directory) => {
    const { name, version, description, license, ...rest } = JSON.parse(read(`${directory}/package.json`));
    const manifest = {
      name,
      version,
      description,
      license,
      ...rest,
      homepage: `${address}/tree/main/${directory}#readme`,
      author,
      repository: { ...repository, directory },
      bugs: { url: `${address}/issues` },
    };
    return [`${directory}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`];
  }),
);

/** Other files with the names, and whether a file may lack them. `npm run schema` writes the plugin's schema. */
const targets = [
  [['SECURITY.md', 'CODE_OF_CONDUCT.md'], /\S+@\S+[a-z]/g, author.email],
  [
    ['LICENSE', ...workspaces.map((directory) => `${directory}/LICENSE`)],
    /(?<=\(c\) \d{4} ).*/g,
    author.name,
  ],
  [['shared/src/version.ts'], /(?<=VERSION = ')[^']*/g, version],
  [['.github/CODEOWNERS'], /(?<=@)[\w-]+(?=\/)/g, owner],
  [['.github/ISSUE_TEMPLATE/config.yml'], /https:\/\/\S+(?=\/(?:discussions|security))/g, address],
  [['.devcontainer/devcontainer.json', '.tool-versions'], /(?<="version": "|golang )[\d.]+/g, go],
  // The path that `pulumi package add` gives the package for Go.
  [
    ['pulumi-provider/examples/go/main.go', 'pulumi-provider/docs/_index.md'],
    /(?<=")\S+(?=\/sdk\/go\/audience")/g,
    address.replace('https://', ''),
  ],
  [
    ['n8n-nodes/credentials/AudienceApi.credentials.ts', 'n8n-nodes/nodes/Audience/Audience.node.json'],
    /https:\/\/[^'"\s]+(?=\/tree\/main\/n8n-nodes)/g,
    address,
  ],
  // npm shows READMEs without the files around them, so their links into the repository are absolute.
  [
    [
      'shared/README.md',
      'n8n-nodes/README.md',
      'pulumi-provider/README.md',
      'pulumi-provider/docs/installation-configuration.md',
      'test/sandbox/README.md',
    ],
    /https:\/\/[^)\s]+?(?=#installing-the-packages|\/(?:blob|raw|tree)\/main\/)/g,
    address,
  ],
  [
    ['shared/scripts/openapi.mts'],
    /(?<=contact: ){ name: '.*', email: '.*' }/g,
    `{ name: '${author.name}', email: '${author.email}' }`,
  ],
  [
    ['README.md', 'n8n-nodes/README.md', 'pulumi-provider/docs/native-plugin.md'],
    /(?<=audience\S*[ -]v?)\d+\.\d+\.\d+/g,
    version,
    // Once the packages are published, they are installed by their names.
    true,
  ],
  [
    ['getting-started', 'environments', 'exports', 'teams/growth', 'teams/platform'].map(
      (example) => `pulumi-provider/examples/${example}/package.json`,
    ),
    /(?<="pulumi-audience": "\^)\d+\.\d+\.\d+/g,
    version,
  ],
];
for (const [names, pattern, text, canBeGone = false] of targets) {
  for (const name of names) {
    if (read(name).search(pattern) < 0 && !canBeGone)
      throw new Error(`${name} no longer names what it did: ${pattern}.`);
    wanted[name] = read(name).replaceAll(pattern, text);
  }
}

if (process.argv.includes('--publish') && JSON.stringify([author, address]).includes('.example')) {
  console.error(
    "The root package.json names an author at an address that is an example. Set it, then 'npm run project'.",
  );
  process.exitCode = 1;
}

const stale = Object.keys(wanted).filter((name) => wanted[name] !== read(name));
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`Not what the package.json says: ${stale.join(', ')}. Run 'npm run project'.`);
    process.exitCode = 1;
  }
} else {
  for (const name of stale) writeFileSync(file(name), wanted[name]);
}
