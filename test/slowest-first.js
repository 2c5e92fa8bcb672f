const Sequencer = require('@jest/test-sequencer').default;

/** Suites that take longest, though their files are small: begun last, they would keep one core busy and the other idle. */
const SLOW = [/once-only\.model/, /histories/];

module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => SLOW.findIndex((slow) => slow.test(path)) >>> 0;
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};
