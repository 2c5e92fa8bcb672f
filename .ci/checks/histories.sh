# The models of the provider and of the node, over more histories than npm test has time for, and every engine for
# expressions that n8n has.
HISTORIES=5000 AUDIENCE_MODEL_RUNS=2000 EXPRESSION_ENGINES=all \
  exec npx jest --testPathPatterns "resources/histories" "n8n/once-only.model" "n8n/expressions"
