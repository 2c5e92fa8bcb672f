# The plugin's schema is one that Pulumi accepts, and the SDKs for Python and Go that are made of it compile, the latter
# with the example. There is none for .NET here: no module proxy serves its generator.
set -e
if ! command -v go >/dev/null; then
  echo 'NO GO HERE: NO SDK WAS GENERATED.'
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
schema=$PWD/pulumi-provider/src/plugin/schema.json
PATH="$(bash .ci/tools/pulumi/build.sh):$PATH"
pulumi schema check "$schema"
(cd .ci/tools/pulumi && go build -o "$work/sdks" ./sdks)
"$work/sdks" "$schema" "$work"

PYTHONPYCACHEPREFIX="$work/compiled" python3 -m compileall -q "$work/python" pulumi-provider/examples/python

cp -r pulumi-provider/examples/go "$work/example"
module=$(sed -n 's|.*"\(.*/sdk/go/audience\)".*|\1|p' "$work/example/main.go")
sdk=$(sed -n 's|.*github.com/pulumi/pulumi/sdk/v3 \(v[0-9.]*\).*|\1|p' .ci/tools/pulumi/go.mod)
cp .ci/tools/pulumi/go.sum "$work/go/audience/go.sum"
cp .ci/tools/pulumi/go.sum "$work/example/go.sum"
(cd "$work/go/audience" && go mod init "$module" && go mod edit -require "github.com/pulumi/pulumi/sdk/v3@$sdk" && go build -mod=mod ./...)
cd "$work/example"
go mod edit -require "github.com/pulumi/pulumi/sdk/v3@$sdk" -require "$module@v0.0.0" -replace "$module=$work/go/audience"
go build -mod=mod -o /dev/null .
