#!/usr/bin/env bash
# Fuzzes the built sandbox with schemathesis, over the OpenAPI documents of the service and of the control plane.
# Usage: schemathesis.sh [SECONDS per document, 60 unless given]. Ends with schemathesis' own verdict.
set -euo pipefail

seconds=${1:-60}
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

"$root/node_modules/.bin/node" "$root/test/sandbox/dist/cli.js" --port 0 --api-key fuzz >"$work/log" 2>&1 &
pid=$!
until grep -q 'AUDIENCE_BASE_URL' "$work/log"; do
  kill -0 "$pid" || { cat "$work/log"; exit 1; }
done
url=$(sed -n 's/.*AUDIENCE_BASE_URL=//p' "$work/log")

failed=0
fuzz() {
  local document=$1
  shift
  "$work/venv/bin/schemathesis" run "$url/__sandbox/$document" --url "$url" --phases examples,coverage,fuzzing \
    --checks all --max-time "$seconds" --continue-on-failure "$@" || failed=1
}

cd "$work"
# positive_data_acceptance: whether a design, contact or property exists is not in the schema.
fuzz service-openapi.json -H 'Authorization: Bearer fuzz' --exclude-checks positive_data_acceptance
# followChanges never ends, and waitForEmail waits for up to a minute.
fuzz openapi.json --exclude-operation-id followChanges --exclude-operation-id waitForEmail \
  --exclude-checks positive_data_acceptance

kill -0 "$pid" || { echo 'The sandbox did not survive.'; exit 1; }
exit "$failed"
