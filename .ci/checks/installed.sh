# The packages as people install them, beside what they may have; that of Pulumi on the real CLI.
. .ci/tools/pulumi/on-path.sh
exec npx tsx test/hosts/installed/main.ts
