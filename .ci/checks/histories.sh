# The models of the provider, over more histories than npm test has time for.
HISTORIES=5000 exec npx jest --selectProjects unit --testPathPatterns "resources/histories"
