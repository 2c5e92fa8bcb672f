# A rehearsal of a release: all that it makes, and nothing published. What it makes stays in artifacts/release.
set -e
out=artifacts/release
rm -rf "$out"

# Four tarballs, four bills of materials. That of the core names what npm installs, and what is bundled.
node .ci/bills-of-materials.mjs "$out"
ls "$out"/{audience-core,audience-sandbox,pulumi-audience,n8n-nodes-audience}-*.tgz
for component in audience-core:axios audience-core:zod audience-sandbox:mustache pulumi-audience:csv-parse pulumi-audience:@grpc/grpc-js n8n-nodes-audience:zod; do
  grep -q "\"name\": \"${component#*:}\"" "$out/${component%%:*}.cdx.json"
done

# The plugin for six systems, the files for Pulumi's registry, the reference.
npm run pack:plugin
[ "$(ls pulumi-provider/dist/plugins/*.tar.gz | wc -l)" -eq 6 ]
node .ci/registry-mirror.mjs "$out/mirror"
# What 'npm run reference' does after the build.
node .ci/tools/run.mjs typedoc
ls artifacts/reference/index.html

bash .ci/sdks.sh

# With a changeset for the provider its version goes up wherever it stands. In a copy, as it changes files that other
# checks use.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git clone --quiet . "$copy/clone"
npm run changeset -- --version
for folder in node_modules */node_modules test/sandbox/node_modules .ci/tools/node_modules; do
  ln -s "$PWD/$folder" "$copy/clone/$folder"
done
cd "$copy/clone"
git config user.name rehearsal
git config user.email rehearsal@localhost
printf -- '---\n"pulumi-audience": minor\n---\n\nA rehearsal.\n' >.changeset/rehearsal.md
git add .changeset
git commit --quiet --message 'A rehearsal'
# A pre-release of main.
npm run release:snapshot
for package in shared test/sandbox pulumi-provider n8n-nodes; do grep '"version": "0.0.0-next-' $package/package.json; done
git checkout --quiet -- .
npm run release:version
npx jest --selectProjects unit --testPathPatterns plugin/schema
