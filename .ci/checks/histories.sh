# The models of the provider and of the node, over other histories than those of npm test, and every engine for
# expressions that n8n has.
FIRST=3001 HISTORIES=1500 AUDIENCE_MODEL_SEED=2001 AUDIENCE_MODEL_RUNS=500 EXPRESSION_ENGINES=all \
  exec npx jest --testPathPatterns "resources/histories" "n8n/once-only.model" "n8n/expressions"
