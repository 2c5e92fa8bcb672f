# Commands of the READMEs that nothing else runs.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# serves PATTERN COMMAND...: starts it, waits until it says how to end it, opens the address behind PATTERN, ends it.
serves() {
  local pattern=$1 url= line status=0
  shift
  rm -f "$work/said"
  mkfifo "$work/said"
  setsid "$@" >"$work/said" 2>&1 &
  local running=$!
  exec 3<"$work/said"
  while IFS= read -r line <&3; do
    echo "$line"
    case $line in
      *$pattern*) url=${line#*"$pattern"} ;;
      *Ctrl-C*) break ;;
    esac
  done
  curl --silent --show-error --fail --output "$work/page" "${url%% *}/" || status=$?
  kill -- "-$running" || true
  wait "$running" || true
  # An n8n that is ended while it starts may hang, and take a core from the checks that follow.
  kill -KILL -- "-$running" 2>/dev/null || true
  exec 3<&-
  return "$status"
}
serves 'AUDIENCE_BASE_URL=' npm run sandbox -- --port 0
serves 'Editor   ' npm run n8n

# "Installing the packages", as the README shows it: into a project beside this one, which stays as it was.
sed -n '/^## Installing the packages/,/^## Work/p' README.md | sed -n '/^```sh/,/^```/{/^```/d;p}' >"$work/install.sh"
bash -e "$work/install.sh"
(cd ../my-project && node --input-type=module -e "await import('audience-core'); await import('audience-sandbox')")
git diff --exit-code
