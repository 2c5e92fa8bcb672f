# The packages as people install them, beside what they may have.
exec npx tsx test/hosts/installed/main.ts
