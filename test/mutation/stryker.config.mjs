// Mutation tests: are the unit tests of the parts that must not be wrong good enough? `npm run mutation`, for one part
// `PART=contacts npm run mutation`. Each part has its own tests only, without random histories: those find much, but take
// seconds for each mutant, and say little of the tests beside.
const PARTS = {
  core: {
    mutate: [
      'shared/src/http/{retry,retry-after,pace,queue}.ts',
      'shared/src/{failures,redact}.ts',
      'shared/src/contract/{property-values,common}.ts',
    ],
    tests: [
      'shared/src/http/{retry,retry-after,pace}.test.ts',
      'shared/src/redact.test.ts',
      'shared/src/contract/*.test.ts',
      'shared/src/client/{schema,wrong-use}.test.ts',
    ],
  },
  // The node is tested as it is built: these tests load the bundle.
  'once-only': {
    mutate: ['n8n-nodes/nodes/Audience/once-only/*.ts'],
    tests: ['test/integration/n8n/{once-only,items,tool}.test.ts'],
    build: 'node n8n-nodes/scripts/build.mjs',
  },
  contacts: {
    mutate: [
      'pulumi-provider/src/resources/contact-record/*.ts',
      'pulumi-provider/src/resources/contacts/{match,upsert-all,declared-rows}.ts',
    ],
    tests: [
      'pulumi-provider/src/resources/{contact,contacts}/{contact,contacts,plan,work}.test.ts',
      'pulumi-provider/src/resources/wrong-input.test.ts',
    ],
  },
  files: {
    mutate: ['pulumi-provider/src/contact-file/{block,columns,consent,read,row,table,values}.ts'],
    tests: ['pulumi-provider/src/contact-file/{files,read,programs,writers}.test.ts'],
  },
};

const { mutate, tests, build } = PARTS[process.env['PART'] ?? 'core'];

export default {
  packageManager: 'npm',
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  mutate,
  jest: {
    projectType: 'custom',
    enableFindRelatedTests: false,
    config: {
      testMatch: tests.map((path) => `<rootDir>/${path}`),
      testEnvironment: 'node',
      testTimeout: 120_000,
      transform: {
        '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.jest.json', transpilation: true }],
      },
      moduleNameMapper: {
        '^(\\.{1,2}/.*)\\.js$': '$1',
        '^n8n-nodes-audience/package\\.json$': '<rootDir>/n8n-nodes/package.json',
      },
    },
  },
  buildCommand: build,
  coverageAnalysis: 'perTest',
  ignorePatterns: [
    '**',
    '!package.json',
    '!tsconfig*.json',
    '!shared/**',
    '!pulumi-provider/**',
    '!n8n-nodes/**',
    '!test/tsconfig.jest.json',
    '!test/hosts/**',
    '!test/integration/**',
    '**/node_modules',
    'pulumi-provider/dist',
  ],
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: 'reports/mutation.html' },
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 80 },
  concurrency: 2,
  timeoutMS: 3_000,
};
