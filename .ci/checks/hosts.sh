# The real Pulumi CLI, if there is one, and a whole n8n.
exec npm run test:hosts
