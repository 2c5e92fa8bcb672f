# The scenarios on the real Pulumi CLI.
. .ci/tools/pulumi/on-path.sh
exec npx tsx test/hosts/pulumi/main.ts
