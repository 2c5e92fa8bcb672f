# schemathesis, from the generated OpenAPI documents, against the sandbox.
exec bash test/e2e/sandbox/schemathesis.sh
