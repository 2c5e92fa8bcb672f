# The models of the provider and of the node, over other histories than those of npm test, and every engine for
# expressions that n8n has.
FIRST=3001 HISTORIES=3000 AUDIENCE_MODEL_SEED=2 AUDIENCE_MODEL_RUNS=1000 EXPRESSION_ENGINES=all \
  exec npx jest --testPathPatterns "resources/histories" "n8n/once-only.model" "n8n/expressions"
