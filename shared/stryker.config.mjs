/** Mutation tests of what must not be wrong: retry, idempotency, redaction, pagination, identifiers. */
export default {
  packageManager: 'npm',
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  mutate: [
    'shared/src/http/retry.ts',
    'shared/src/http/retry-after.ts',
    'shared/src/http/idempotency.ts',
    'shared/src/http/redact.ts',
    'shared/src/http/pipeline.ts',
    'shared/src/client/pagination.ts',
    'shared/src/client/prepare.ts',
    'shared/src/contract/identifier.ts',
  ],
  jest: { configFile: 'shared/jest.config.js' },
  coverageAnalysis: 'perTest',
  // The copy that is mutated needs nothing of the other packages.
  ignorePatterns: ['**', '!package.json', '!tsconfig*.json', '!shared/**', 'shared/dist'],
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: 'reports/mutation.html' },
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
  concurrency: 2,
  timeoutMS: 20_000,
};
