const Sequencer = require('@jest/test-sequencer').default;

/** Suites that take or wait longest, though their files are small: begun last, they would leave a core idle. */
const SLOW = [/once-only\.model/, /histories/, /pace/, /safety/, /http\/lost-requests/];

module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => SLOW.findIndex((slow) => slow.test(path)) >>> 0;
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};
