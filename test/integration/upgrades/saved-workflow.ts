import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Seed } from 'audience-sandbox';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { readWorkflowFile } from '../../hosts/n8n-engine/index.js';
import type { WorkflowFile } from '../../hosts/n8n-engine/index.js';
import { locator, mapped, NODE_TYPE, setUp, writes } from '../n8n/support.js';

/** What a version's workflow made of a service: what it wrote, and what each node put out. */
export interface Outcome {
  readonly received: readonly unknown[];
  readonly items: Readonly<Record<string, unknown>>;
}

/** The account that the workflow meets. */
const SEED: Seed = {
  contacts: [{ email: 'ada@example.com', userId: 'user-ada' }],
  subscriptionGroups: [{ id: 'group-newsletter', name: 'Newsletter' }],
  designs: [
    {
      id: 'design-welcome',
      name: 'Welcome',
      subject: 'Welcome, {{firstName}}',
      body: '<p>{{planName}}</p>',
      lastUpdated: '2026-01-12T09:00:00.000Z',
    },
  ],
};

const CONTACT = locator('email', 'ada@example.com');

/** Every operation that there is, with what its form can hold. */
const OPERATIONS: Readonly<Record<string, INodeParameters>> = {
  'Contact Property: Create': {
    resource: 'contactProperty',
    operation: 'create',
    name: 'seats',
    type: 'number',
    options: { skipExisting: true },
  },
  'Contact Property: Get Many': { resource: 'contactProperty', operation: 'getAll', customOnly: true },
  'Contact: Create or Update': {
    resource: 'contact',
    operation: 'upsert',
    eventName: 'imported',
    email: 'ada@example.com',
    contactFields: mapped({ firstName: 'Ada', seats: 3 }),
    additionalFields: { subscribeTo: ['group-newsletter'] },
  },
  'Contact: Update': {
    resource: 'contact',
    operation: 'update',
    contact: CONTACT,
    fields: mapped({ lastName: '={{ "Love" + "lace" }}' }),
    additionalFields: { unsubscribeFrom: ['group-newsletter'] },
  },
  'Contact: Get': { resource: 'contact', operation: 'get', contact: CONTACT },
  'Event: Send': {
    resource: 'event',
    operation: 'send',
    eventName: 'orderPlaced',
    email: 'ada@example.com',
    specifyProperties: 'fields',
    eventProperties: { property: [{ name: 'total', type: 'number', value: '49.90' }] },
    contactFields: mapped({ lastName: 'Byron' }),
    options: { idempotencyKey: 'order-1001' },
  },
  'Email: Send': {
    resource: 'email',
    operation: 'send',
    transactionalId: locator('list', 'design-welcome'),
    email: 'ada@example.com',
    dataVariables: mapped({ firstName: 'Ada', planName: 'Pro' }),
    options: {},
  },
  'Email: Get Many': { resource: 'email', operation: 'getAll', returnAll: true },
  'Subscription Group: Get Many': { resource: 'subscriptionGroup', operation: 'getAll', returnAll: true },
  'Contact: Unsubscribe': { resource: 'contact', operation: 'unsubscribe', contact: CONTACT },
};

/** Keeps a workflow of every operation, and what came of it. */
export async function saveWorkflow(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'workflow.json');
  await writeFile(file, `${JSON.stringify(everyOperation(), null, 2)}\n`);
  await writeFile(path.join(folder, 'outcome.json'), `${JSON.stringify(await runSaved(file), null, 2)}\n`);
}

/** What came of the workflow of a folder in the version that kept it. */
export async function savedOutcome(folder: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(folder, 'outcome.json'), 'utf8'));
}

/** Runs a workflow against a new sandbox. */
export async function runSaved(file: string): Promise<Outcome> {
  const setup = await setUp({ seed: SEED });
  try {
    const outcome = await setup.n8n.execute(readWorkflowFile(file), { credentials: setup.credentials });
    if (outcome.error !== undefined) throw new Error(outcome.error.message);
    const items = Object.entries(outcome.nodes).filter(([name]) => name in OPERATIONS);
    return {
      received: writes(setup.sandbox).map(({ method, path: target, requestBody, status }) => ({
        method,
        path: target,
        body: requestBody,
        status,
      })),
      items: Object.fromEntries(items.map(([name, node]) => [name, node.items.map(({ json }) => json)])),
    };
  } finally {
    await setup.close();
  }
}

function everyOperation(): WorkflowFile {
  const names = Object.keys(OPERATIONS);
  const trigger: INode = {
    ...{ id: 'trigger', name: 'Trigger', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
    ...{ position: [0, 0], parameters: {} },
  };
  const nodes = names.map((name, index): INode => {
    return {
      ...{ id: `node-${index}`, name, type: NODE_TYPE, typeVersion: 1, position: [220 * (index + 1), 0] },
      parameters: OPERATIONS[name] ?? {},
      // Each runs once, whatever the one before put out.
      executeOnce: true,
      credentials: { audienceApi: { id: 'credential-1', name: 'Audience account' } },
    };
  });
  const connections: IConnections = {};
  for (const [index, name] of names.entries()) {
    connections[names[index - 1] ?? 'Trigger'] = { main: [[{ node: name, type: 'main', index: 0 }]] };
  }
  return {
    id: 'every-operation',
    name: 'Every operation',
    nodes: [trigger, ...nodes],
    connections,
  };
}
