# What the packages offer is what their reports say, and nothing is exported that nobody uses.
set -e
node .ci/tools/run.mjs api.mjs --check
node .ci/tools/run.mjs knip --include exports,types,files,dependencies,unlisted
