const { TestEnvironment } = require('jest-environment-node');

/** As jest's jsdom: packages are their builds for browsers, and there is neither `fetch` nor `TextDecoder`. */
module.exports = class BrowserLike extends TestEnvironment {
  exportConditions() {
    return ['browser'];
  }

  async setup() {
    await super.setup();
    for (const name of ['fetch', 'TextDecoder', 'TextEncoder']) delete this.global[name];
  }
};
