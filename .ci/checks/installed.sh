# The packages as people install them, beside what they may have; that of Pulumi on the real CLI, where Go is there to
# build it.
if command -v go >/dev/null; then
  PATH="$(bash .ci/tools/pulumi/build.sh):$PATH" || exit 1
fi
exec npx tsx test/hosts/installed/main.ts
