# The demo of the README, with everything kept to look at, and what it says to wrong options; on the real Pulumi CLI, where
# Go is there to build it. Without the CLI the same program is a test of npm test.
if command -v go >/dev/null; then
  PATH="$(bash .ci/tools/pulumi/build.sh):$PATH" || exit 1
fi
exec npx jest -c test/e2e/jest.config.js test/e2e/demo
