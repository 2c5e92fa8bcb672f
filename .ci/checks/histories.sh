# The models of the provider and the node, over other or more histories than those of npm test, and every
# engine for expressions that n8n has.
FIRST=121 HISTORIES=1880 AUDIENCE_MODEL_SEED=121 AUDIENCE_MODEL_RUNS=1180 EXPRESSION_ENGINES=all \
  exec npx jest --testPathPatterns "resources/histories" "n8n/once-only.model" "n8n/expressions"
