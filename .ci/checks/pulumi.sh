# The scenarios on the real Pulumi CLI, where Go is there to build it.
if command -v go >/dev/null; then
  PATH="$(bash .ci/tools/pulumi/build.sh):$PATH" || exit 1
fi
exec npx tsx test/hosts/pulumi/main.ts
