# The sandbox's inbox in a real browser.
exec npx jest -c test/e2e/jest.config.js test/e2e/sandbox
