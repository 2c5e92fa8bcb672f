# What is published: the tarballs' types and entries, and the document of the interface.
exec npx jest -c test/e2e/jest.config.js test/e2e/packages
