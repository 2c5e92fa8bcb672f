#!/usr/bin/env bash
# Fuzzes the built sandbox with schemathesis, over the OpenAPI document of the service, as each kind of service.
# Usage: schemathesis.sh [SECONDS, 16 unless given; a fifth of it for all but the default kind]. Prints a line for each
# kind, or all that schemathesis says of what has failed.
set -euo pipefail

seconds=${1:-16}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
pid=
finish() {
  if [ -n "$pid" ]; then kill "$pid" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet 'schemathesis>=4,<5'
cd "$work"
node=$root/node_modules/.bin/node

failed=0
# fuzz SECONDS: one line of what was tried, or all that is said of what has failed.
fuzz() {
  local seconds=$1 report=$work/report
  # positive_data_acceptance: whether a design, contact or property exists is not in the schema. filter_too_much: how
  # many texts the pattern of an address filters out is luck of the seed, and says nothing of the sandbox.
  if "$work/venv/bin/schemathesis" run "$root/shared/openapi.json" --url "$url" -H 'Authorization: Bearer fuzz' --phases examples,coverage,fuzzing \
    --checks all --exclude-checks positive_data_acceptance --suppress-health-check filter_too_much --max-time "$seconds" --continue-on-failure >"$report" 2>&1; then
    echo "ok      $preset: $(grep -E '^ *[0-9]+ generated' "$report" | tail -n 1 | xargs)"
  else
    failed=1
    cat "$report"
    echo "FAILED  $preset"
  fi
}

for preset in $("$node" -p "require('$root/test/sandbox').PRESET_NAMES.join(' ')"); do
  time=$([ "$preset" = default ] && echo "$seconds" || echo $(((seconds + 4) / 5)))
  # A separate log: in that of the kind before, its address would be read until the shell has emptied it.
  log=$work/$preset.log
  : >"$log"
  echo "preset: $preset" >"$work/profile.yaml"
  "$node" "$root/test/sandbox/dist/cli.js" --port 0 --api-key fuzz --profile "$work/profile.yaml" >"$log" 2>&1 &
  pid=$!
  url=
  until [ -n "$url" ]; do
    kill -0 "$pid" || { cat "$log"; exit 1; }
    url=$(sed -n 's/.*AUDIENCE_BASE_URL=//p' "$log")
  done
  fuzz "$time"
  kill -0 "$pid" || { echo 'The sandbox did not survive.'; exit 1; }
  kill "$pid"
done
pid=
exit "$failed"
