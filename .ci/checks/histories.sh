# The provider's model, over more histories than npm test has time for.
HISTORIES=5000 exec npx jest --selectProjects unit --testPathPatterns resources/histories
