# The models of the provider, the node and the sandbox, over other or more histories than those of npm test, and every
# engine for expressions that n8n has.
FIRST=501 HISTORIES=1500 AUDIENCE_MODEL_SEED=301 AUDIENCE_MODEL_RUNS=1000 MODEL_RUNS=12 EXPRESSION_ENGINES=all \
  exec npx jest --testPathPatterns "resources/histories" "n8n/once-only.model" "sandbox/model" "n8n/expressions"
