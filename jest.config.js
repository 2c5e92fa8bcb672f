const { existsSync, statfsSync } = require('node:fs');
const { join } = require('node:path');

// Tests start many Node processes that load the same modules: compiled once, they start in half the time.
process.env.NODE_COMPILE_CACHE ??= join(module.path, 'node_modules/.cache/compiled');

// Tests write thousands of small files, which a busy disk makes twice as slow as memory does.
const MEMORY = '/dev/shm';
const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
if (bavail * bsize > 1e9) process.env.TMPDIR ??= MEMORY;

/** Unit tests lie beside their source; integration tests use the built packages by name. */
const common = {
  testEnvironment: '<rootDir>/test/environment.js',
  transform: {
    '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.jest.json', transpilation: true }],
  },
  // Sources import './x.js', as Node's ESM wants; in tests that is './x.ts'.
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // These take seconds to load: once for each of jest's processes, not for each file of tests.
    '^(n8n-core|n8n-workflow|typescript)$': '<rootDir>/test/natively/$1.js',
    '^@pulumi/pulumi$': '<rootDir>/test/natively/pulumi.js',
  },
  modulePathIgnorePatterns: ['/dist/', '/\\.stryker-tmp/'],
};

module.exports = {
  testSequencer: '<rootDir>/test/slowest-first.js',
  // One more than the two cores of a small machine: much of a test is waiting.
  maxWorkers: 3,
  // No test leaves anything open, but a process that has loaded n8n needs up to a second to free its memory.
  workerGracefulExitTimeout: 10_000,
  // A slow machine is no failure: this only ends what hangs.
  testTimeout: 120_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/shared/src/**/*.test.ts',
        '<rootDir>/pulumi-provider/src/**/*.test.ts',
        '<rootDir>/test/sandbox/src/**/*.test.ts',
        '<rootDir>/test/hosts/**/*.test.ts',
      ],
    },
    {
      ...common,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/second-opinion/setup.ts'],
    },
  ],
};
