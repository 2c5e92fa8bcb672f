/** The core's unit tests alone, for mutation tests; `npm test` runs them by the jest.config.js of the root. */
module.exports = {
  rootDir: '..',
  roots: ['<rootDir>/shared/src'],
  testEnvironment: 'node',
  // It measures the size of a bundle, and what Stryker adds to the code counts.
  testPathIgnorePatterns: ['/fetch-transport\\.test\\.ts$'],
  transform: {
    '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.jest.json', transpilation: true }],
  },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};
