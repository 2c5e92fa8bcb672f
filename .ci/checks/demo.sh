# The demo, as the README shows it, and once more with everything kept to look at.
set -e
npm run demo
exec npx jest -c test/e2e/jest.config.js test/e2e/demo
