# A release can be made: with a changeset for the provider its version goes up wherever it stands. In a copy, as it
# changes files that other checks use.
set -e
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
# What else a release makes: the files for Pulumi's registry, and a bill of materials.
node .ci/registry-mirror.mjs "$copy/mirror"
npm sbom --sbom-format cyclonedx --omit dev -w pulumi-audience | grep -q '"bomFormat": "CycloneDX"'
git clone --quiet . "$copy/clone"
npm run changeset -- --version
for folder in node_modules */node_modules test/sandbox/node_modules .ci/tools/node_modules; do
  ln -s "$PWD/$folder" "$copy/clone/$folder"
done
cd "$copy/clone"
printf -- '---\n"pulumi-audience": minor\n---\n\nA rehearsal.\n' >.changeset/rehearsal.md
npm run release:version
npx jest --selectProjects unit --testPathPatterns plugin/schema
