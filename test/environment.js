const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { createContext } = vm;

/** jest's own environment, but with plain globals: jest's pass a Proxy at each use, which costs a quarter of a test's time. */
module.exports = class extends TestEnvironment {
  constructor(...given) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
    this.global.Error.stackTraceLimit = 10;
  }
};
