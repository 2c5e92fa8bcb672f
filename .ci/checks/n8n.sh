# A whole n8n: editor, webhooks, queue mode, Retry. Each file of tests waits more than it works.
npx tsx test/hosts/n8n/download.ts && exec npx jest -c test/e2e/jest.config.js -w 2 test/e2e/n8n
