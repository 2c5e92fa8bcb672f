import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readWorkflowFile } from '../../hosts/n8n-engine/index.js';
import { NODE_TYPE } from './support.js';

const FOLDER = resolve(__dirname, '../../../n8n-nodes/workflows');

// Their runs are in test/e2e/n8n: most of their nodes are n8n's own.
test.each(readdirSync(FOLDER))('%s has a name, holds no key, and uses this node', (file) => {
  const workflow = readWorkflowFile(join(FOLDER, file));
  expect(JSON.stringify(workflow)).not.toMatch(/api-?key|bearer/i);
  expect(workflow.nodes.filter(({ type }) => type === NODE_TYPE).length).toBeGreaterThan(0);
  expect(workflow.name).toBeTruthy();
});
