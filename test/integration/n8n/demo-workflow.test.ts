import { resolve } from 'node:path';
import { readWorkflowFile } from '../../hosts/n8n-engine/index.js';
import { bodyOf, setUp, writes } from './support.js';
import type { Setup } from './support.js';

const FILE = resolve(__dirname, '../../../n8n-nodes/workflows/order-follow-up.json');
const workflow = readWorkflowFile(FILE);

let setup: Setup;
beforeAll(async () => {
  setup = await setUp();
});
afterAll(() => setup.close());

test('follows up three orders: an event, an update and an email for each, values with their types', async () => {
  const { n8n, sandbox, credentials } = setup;

  const outcome = await n8n.execute(workflow, { credentials });

  expect(outcome.error).toBeUndefined();
  expect(outcome.status).toBe('success');
  expect(sandbox.emails().map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    'ada@example.com: Your receipt for order A-1001',
    'grace@example.com: Your receipt for order A-1002',
    'katherine@example.com: Your receipt for order A-1003',
  ]);
  expect(sandbox.events().map(({ email, eventProperties }) => ({ email, eventProperties }))).toEqual([
    { email: 'ada@example.com', eventProperties: { orderNumber: 'A-1001', total: 129.5 } },
    { email: 'grace@example.com', eventProperties: { orderNumber: 'A-1002', total: 48 } },
    { email: 'katherine@example.com', eventProperties: { orderNumber: 'A-1003', total: 310.25 } },
  ]);
  expect(bodyOf(sandbox.requests({ route: 'updateContact' })[0])).toEqual({
    source: 'shop',
    companyName: 'Analytical Engines',
    isTrialUser: false,
  });
  expect(writes(sandbox)).toHaveLength(9);
  expect(writes(sandbox).map(({ status }) => status)).toEqual(Array(9).fill(200));
});
