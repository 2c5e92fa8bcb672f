/* global requireNatively -- of test/environment.js */
requireNatively('./hosts/n8n-engine/environment.cjs');
module.exports = requireNatively('n8n-core');
