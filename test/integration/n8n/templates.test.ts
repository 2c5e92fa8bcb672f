import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DEFAULT_SEED } from 'audience-sandbox';
import type { IDataObject } from 'n8n-workflow';
import { readWorkflowFile } from '../../hosts/n8n-engine/index.js';
import { NODE_TYPE, setUpForFile, writes } from './support.js';

const FOLDER = resolve(__dirname, '../../../n8n-nodes/workflows');

const setup = setUpForFile({
  seed: {
    ...DEFAULT_SEED,
    designs: [
      ...(DEFAULT_SEED.designs ?? []),
      {
        id: 'design-alert-digest',
        name: 'Alert digest',
        subject: '{{count}} alerts',
        body: '<p>{{alerts}}</p>',
      },
    ],
  },
});

async function run(name: string, inputItems: IDataObject[], pinned: Record<string, IDataObject[]> = {}) {
  const { n8n, credentials } = setup;
  const outcome = await n8n.execute(readWorkflowFile(join(FOLDER, `${name}.json`)), {
    credentials,
    inputItems,
    pinned,
    mode: 'trigger',
  });
  expect(outcome.error).toBeUndefined();
  expect(outcome.status).toBe('success');
  return outcome;
}

test.each(readdirSync(FOLDER))('%s holds no key, has a note for the reader, and uses this node', (file) => {
  const workflow = readWorkflowFile(join(FOLDER, file));
  expect(JSON.stringify(workflow)).not.toMatch(/api-?key|bearer/i);
  expect(workflow.nodes.filter(({ type }) => type === NODE_TYPE).length).toBeGreaterThan(0);
  expect(workflow.name).toBeTruthy();
});

test('welcome email after a form: sent once', async () => {
  await run('welcome-email-after-form', [
    { 'First name': 'Katherine', Email: 'katherine@example.com', Newsletter: 'Yes' },
    { 'First name': 'Dorothy', Email: 'dorothy@example.com', Newsletter: 'No' },
  ]);

  expect((await setup.sandbox.emails()).map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    'katherine@example.com: Welcome, Katherine',
    'dorothy@example.com: Welcome, Dorothy',
  ]);
  const groups = (await setup.sandbox.contacts()).map(({ email, subscriptionGroups }) => [
    email,
    subscriptionGroups,
  ]);
  expect(groups.slice(-2)).toEqual([
    ['katherine@example.com', { 'group-newsletter': true }],
    ['dorothy@example.com', {}],
  ]);
});

test('order event from a webhook: posted twice, it counts once', async () => {
  const order = {
    body: {
      orderNumber: 1001,
      orderedAt: '2026-01-31',
      total: '49.90',
      items: [{ name: 'Difference Engine' }],
      customer: { id: 42, email: 'ada@example.com', firstName: 'Ada' },
    },
  };
  await run('order-event-from-webhook', [order]);
  await run('order-event-from-webhook', [order]);

  expect(await setup.sandbox.events()).toHaveLength(1);
  expect((await setup.sandbox.events())[0]).toMatchObject({
    name: 'purchased',
    properties: {
      orderNumber: '1001',
      productName: 'Difference Engine',
      total: 49.9,
      orderedAt: Date.UTC(2026, 0, 31) / 1000,
    },
  });
  expect((await setup.sandbox.emails()).map(({ subject }) => subject)).toEqual([
    'How is your Difference Engine?',
  ]);
});

test('nightly sync: rows become contacts with typed properties, rows that fail say why', async () => {
  const rows = [
    { email: 'ada@example.com', firstName: 'Ada', company: 'Engines', teamSize: '12', trial: 'false' },
    { email: 'grace@example.com', firstName: 'Grace', company: '', teamSize: 'many', trial: 'true' },
    { email: 'nobody@example.com', firstName: 'Nobody', company: 'None', teamSize: '1', trial: 'true' },
  ];
  const outcome = await run('nightly-spreadsheet-sync', [{}], { 'Get Spreadsheet': [{}], 'Read Rows': rows });

  expect((await setup.sandbox.contacts())[0]?.properties).toMatchObject({
    companyName: 'Engines',
    teamSize: 12,
    isTrialUser: false,
  });
  expect(writes(setup.sandbox).filter(({ status }) => status === 200)).toHaveLength(1);
  const failed = outcome.nodes['Rows to Look At']?.items.map(({ json }) => [json['email'], json['error']]);
  expect(failed).toEqual([
    ['grace@example.com', expect.stringContaining("must be a number, such as 42 or -3.5, but is 'many'")],
    ['nobody@example.com', expect.stringContaining('(404)')],
  ]);
});

test('alert digest: one email, and no second one without a change', async () => {
  const alerts = [
    { severity: 'high', title: 'Disk full' },
    { severity: 'low', title: 'Certificate ends' },
  ];
  for (let day = 0; day < 2; day += 1) {
    await run('alert-digest', [{}], { 'Get Alerts': alerts, Collect: [{ alerts }] });
  }

  expect(
    (await setup.sandbox.emails()).map(({ to, subject, variables }) => ({ to, subject, variables })),
  ).toEqual([
    {
      to: 'on-call@example.com',
      subject: '2 alerts',
      variables: { count: 2, alerts: 'high: Disk full, low: Certificate ends' },
    },
  ]);
});
