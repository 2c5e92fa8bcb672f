/* global requireNatively -- of test/environment.js */
module.exports = requireNatively('n8n-workflow');
