/** Mutation tests of the parts that must not be wrong: retry, once-only, limiter, codec, redaction, pagination. */
export default {
  packageManager: 'npm',
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  mutate: [
    'shared/src/http/outcome.ts',
    'shared/src/http/retry-after.ts',
    'shared/src/http/adaptive-rate.ts',
    'shared/src/http/limiter.ts',
    'shared/src/http/call-errors.ts',
    'shared/src/contract/property-values.ts',
    'shared/src/contract/common.ts',
  ],
  jest: { configFile: 'shared/jest.config.js' },
  coverageAnalysis: 'perTest',
  // The copy that is mutated needs nothing of the other packages.
  ignorePatterns: [
    '**',
    '!package.json',
    '!tsconfig*.json',
    '!shared/**',
    '!test/tsconfig.jest.json',
    'shared/dist',
  ],
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: 'reports/mutation.html' },
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
  concurrency: 2,
  timeoutMS: 20_000,
};
