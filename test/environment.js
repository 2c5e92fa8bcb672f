const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { createContext } = vm;

/**
 * jest's own environment, but with plain globals: jest's pass a Proxy at each use, which costs a quarter of a test's time.
 * And with a way to load a module once for all files of tests (test/natively). Such a module has globals of its own, but
 * the same clock.
 */
module.exports = class extends TestEnvironment {
  constructor(...given) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
    this.global.requireNatively = require;
    this.global.Date = Date;
    this.global.realms = [this.global, globalThis];
    for (const { Error } of this.global.realms) Error.stackTraceLimit = 10;
  }
};
