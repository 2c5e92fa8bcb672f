# Commands of the READMEs that nothing else runs. They build, so nothing may run beside.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkfifo "$work/said"
setsid npm run sandbox -- --port 0 >"$work/said" 2>&1 &
sandbox=$!
exec 3<"$work/said"
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
