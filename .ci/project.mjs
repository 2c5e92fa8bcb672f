// Copies the project's names and addresses from the root package.json, where whoever publishes sets them, to wherever
// else they must stand. With --check it only says what differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name) => readFileSync(file(name), 'utf8');

const { author, repository, workspaces } = JSON.parse(read('package.json'));
const address = repository.url.replace(/^git\+|\.git$/g, '');

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
wanted['SECURITY.md'] = read('SECURITY.md').replace(/\S+@\S+[a-z]/, author.email);
// The path that `pulumi package add` gives the package for Go.
const goExample = 'pulumi-provider/examples/go/main.go';
wanted[goExample] = read(goExample).replace(
  /"\S+(?=\/sdk\/go\/audience")/,
  `"${address.replace('https://', '')}`,
);

const stale = Object.keys(wanted).filter((name) => wanted[name] !== read(name));
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`Not what the root package.json says: ${stale.join(', ')}. Run 'npm run project'.`);
    process.exitCode = 1;
  }
} else {
  for (const name of stale) writeFileSync(file(name), wanted[name]);
}
