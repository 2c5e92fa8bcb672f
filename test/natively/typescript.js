/* global requireNatively -- of test/environment.js */
module.exports = requireNatively('typescript');
