# The real Pulumi CLI, if there is one, and a whole n8n: npm run test:hosts, of what npm test has built.
exec npx tsx test/hosts/run.ts
