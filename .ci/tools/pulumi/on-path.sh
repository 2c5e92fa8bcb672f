# To be sourced: puts the real Pulumi CLI on the PATH, where Go is there to build it.
if command -v go >/dev/null; then
  PATH="$(bash .ci/tools/pulumi/build.sh):$PATH" || exit 1
fi
