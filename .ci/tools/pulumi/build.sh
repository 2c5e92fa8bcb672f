#!/usr/bin/env bash
# Builds the real Pulumi CLI and its host for YAML once per machine, and prints the folder that they are in.
# What runs programs and dynamic providers on Node stands beside them: the CLI looks for both in its own folder.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
version=$(sed -n 's|.*github.com/pulumi/pulumi/pkg/v3 v\([0-9.]*\).*|\1|p' go.mod)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/audience/pulumi-$version
mkdir -p "$folder"

build() {
  [ -x "$folder/$1" ] && return
  go build -o "$folder/$1.new" -ldflags "-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=$version" "$2" >&2
  mv "$folder/$1.new" "$folder/$1"
}
build pulumi github.com/pulumi/pulumi/pkg/v3/cmd/pulumi
build pulumi-language-yaml github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml
for script in pulumi-language-nodejs pulumi-resource-pulumi-nodejs; do
  cmp --silent "$script" "$folder/$script" || install -m 755 "$script" "$folder/$script"
done
echo "$folder"
