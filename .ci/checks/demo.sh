# The demo, with everything kept to look at.
exec npx jest -c test/e2e/jest.config.js test/e2e/demo
