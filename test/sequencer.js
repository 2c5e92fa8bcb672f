const { default: Sequencer } = require('@jest/test-sequencer');

/** Takes longest: begun last, one of these would run alone at the end. */
const FIRST = [
  'pulumi/scenarios.test.ts',
  'n8n/once-only.model.test.ts',
  'resources/histories.test.ts',
  'sandbox/pull.test.ts',
  'sandbox/model.test.ts',
];

/** Begins with the files that take longest, also on a machine where jest has measured nothing yet. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const found = FIRST.findIndex((file) => path.replaceAll('\\', '/').endsWith(file));
      return found === -1 ? FIRST.length : found;
    };
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};
