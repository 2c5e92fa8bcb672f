# The sandbox's inbox in a real browser, its tests in the runners that its README shows, and its command 'pull'.
exec npx jest -c test/e2e/jest.config.js test/e2e/sandbox
