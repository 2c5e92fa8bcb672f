/**
 * Prepares this process for n8n-core; must be loaded before it. n8n keeps an instance folder with an encryption key:
 * here it is a temporary one, so that nothing of the person's own n8n is read or written.
 */
require('reflect-metadata');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
process.env['N8N_USER_FOLDER'] = folder;
process.env['N8N_ENCRYPTION_KEY'] = 'only-for-this-process';
process.env['N8N_LOG_LEVEL'] = 'silent';
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
