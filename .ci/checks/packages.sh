# What is published: the tarballs' types and entries, the document of the interface, and a program's test with mocks.
exec npx jest -c test/e2e/jest.config.js test/e2e/packages
