/** The core's unit tests alone, for mutation tests; `npm test` runs them by the jest.config.js of the root. */
module.exports = {
  rootDir: '..',
  roots: ['<rootDir>/shared/src'],
  testEnvironment: 'node',
  // What it tests is not mutated, and it lets ten thousand calls through the pipeline for each mutant of that.
  testPathIgnorePatterns: ['/adaptive-rate\\.test\\.ts$'],
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.jest.json', diagnostics: false }] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};
