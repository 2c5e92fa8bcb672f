// Mutation tests: are the unit tests of the parts that must not be wrong good enough? `npm run mutation`, for one part
// `PART=contacts npm run mutation`. Random histories are left out: they find much, but say little of the tests beside.
const PARTS = {
  core: {
    mutate: [
      'shared/src/http/{outcome,retry-after,adaptive-rate,limiter,call-errors}.ts',
      'shared/src/contract/{property-values,common}.ts',
    ],
    tests: ['shared/src'],
  },
  contacts: {
    mutate: [
      'pulumi-provider/src/resources/contact-record/*.ts',
      'pulumi-provider/src/resources/contacts/{match,upsert-all,declared-rows}.ts',
    ],
    tests: ['pulumi-provider/src/resources'],
  },
  files: {
    mutate: ['pulumi-provider/src/resources/contacts/file/{columns,consent,suggest,values,rows}.ts'],
    tests: ['pulumi-provider/src/resources/contacts'],
  },
};

const { mutate, tests } = PARTS[process.env['PART'] ?? 'core'];

export default {
  packageManager: 'npm',
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  mutate,
  jest: {
    projectType: 'custom',
    config: {
      roots: tests.map((folder) => `<rootDir>/${folder}`),
      testPathIgnorePatterns: ['/histories\\.test\\.ts$'],
      testEnvironment: 'node',
      testTimeout: 120_000,
      transform: {
        '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.jest.json', transpilation: true }],
      },
      moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    },
  },
  coverageAnalysis: 'perTest',
  ignorePatterns: [
    '**',
    '!package.json',
    '!tsconfig*.json',
    '!shared/**',
    '!pulumi-provider/**',
    '!test/tsconfig.jest.json',
    '!test/hosts/**',
    'pulumi-provider/dist',
  ],
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: 'reports/mutation.html' },
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 80 },
  concurrency: 2,
  timeoutMS: 5_000,
};
