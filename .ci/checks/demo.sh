# The demo of the README on the real Pulumi CLI, with everything kept to look at, and what it says to wrong options.
# Without the CLI the same program is a test of npm test.
. .ci/tools/pulumi/on-path.sh
exec npx jest -c test/e2e/jest.config.js test/e2e/demo
