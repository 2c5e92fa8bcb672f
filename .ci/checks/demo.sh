# The demo of the README, with everything kept to look at, and what it says to wrong options.
exec npx jest -c test/e2e/jest.config.js test/e2e/demo
