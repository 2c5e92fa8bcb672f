# Commands of the READMEs that nothing else runs. In a copy, as they build.
set -e
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git clone --quiet . "$copy/clone"
for folder in node_modules */node_modules test/sandbox/node_modules .ci/tools/node_modules; do
  if [ -d "$folder" ]; then ln -s "$PWD/$folder" "$copy/clone/$folder"; fi
done
cd "$copy/clone"

mkfifo "$copy/said"
setsid npm run sandbox -- --port 0 >"$copy/said" 2>&1 &
sandbox=$!
exec 3<"$copy/said"
url=
while IFS= read -r line <&3; do
  echo "$line"
  case $line in
    *AUDIENCE_BASE_URL=*) url=${line#*AUDIENCE_BASE_URL=} ;;
    *Ctrl-C*) break ;;
  esac
done
status=0
curl --silent --fail "$url/" >/dev/null || status=$?
kill -- "-$sandbox" || true
wait "$sandbox" || true
[ "$status" -eq 0 ]

npm run pack:plugin
ls pulumi-provider/dist/plugins/*.tar.gz
# What 'npm run reference' does after the build.
node .ci/tools/run.mjs typedoc
