import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startSandbox } from 'audience-sandbox';
import * as z from 'zod/v4-mini';
import { readWorkflowFile } from '../n8n-engine/workflow-file.js';
import { N8nInstance, OWNER, type N8nApi } from './instance.js';
import { TEMPLATE_SEED } from './seed.js';

const ROOT = resolve(__dirname, '../../..');
const WORKFLOWS = join(ROOT, 'n8n-nodes/workflows');
const CREDENTIAL = 'Audience sandbox';
const EDITOR_PORT = 5678;
const SANDBOX_PORT = 4010;

const listSchema = z.array(z.object({ id: z.string(), name: z.string() }));
const savedSchema = z.object({ id: z.string() });

/** A whole n8n with the node, a credential for the sandbox, and the workflow templates, until it is interrupted. */
export async function runN8n(say: (line: string) => void): Promise<void> {
  const folder = join(ROOT, 'artifacts', 'n8n');
  const known = existsSync(folder);
  mkdirSync(folder, { recursive: true });

  const sandbox = await startSandbox({ port: SANDBOX_PORT, seed: TEMPLATE_SEED });
  const closeSandbox = () => sandbox.close();
  try {
    say(known ? 'Starting n8n …' : 'Starting n8n, which sets its database up first: about a minute …');
    const n8n = await N8nInstance.create({ folder, port: EDITOR_PORT, report: say });
    const running = await n8n.start();
    try {
      const api = await n8n.login();
      const credential = await ensureCredential(api, sandbox.url, sandbox.apiKey);
      await ensureTemplates(api, credential, say);
      say('');
      say(`Editor   ${n8n.url}   (${OWNER.email}, ${OWNER.password})`);
      say(`Inbox    ${sandbox.url}`);
      say(`Base URL ${sandbox.url}   (API key ${sandbox.apiKey})`);
      say('');
      say("Open 'Order follow-up', press Execute workflow, and see the emails arrive in the inbox.");
      say('Ctrl-C ends both. What you change stays in artifacts/n8n.');
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    } finally {
      await running.stop();
    }
  } finally {
    await closeSandbox();
  }
}

/** The credential for the sandbox, with its address and key of today. */
async function ensureCredential(api: N8nApi, baseUrl: string, apiKey: string): Promise<string> {
  const known = (await api.call('GET', '/credentials', listSchema)).find(({ name }) => name === CREDENTIAL);
  const credential = {
    name: CREDENTIAL,
    type: 'audienceApi',
    data: { baseUrl, apiKey, allowInsecure: false },
  };
  const saved =
    known === undefined
      ? await api.call('POST', '/credentials', savedSchema, credential)
      : await api.call('PATCH', `/credentials/${known.id}`, savedSchema, credential);
  return saved.id;
}

/** Imports the templates that are not there yet; those that are belong to the person. */
async function ensureTemplates(api: N8nApi, credential: string, say: (line: string) => void): Promise<void> {
  const known = new Set((await api.call('GET', '/workflows', listSchema)).map(({ name }) => name));
  for (const file of readdirSync(WORKFLOWS)) {
    const workflow = readWorkflowFile(join(WORKFLOWS, file));
    if (workflow.name === undefined || known.has(workflow.name)) continue;
    for (const node of workflow.nodes) {
      if (node.credentials?.['audienceApi'] === undefined) continue;
      node.credentials = { audienceApi: { id: credential, name: CREDENTIAL } };
    }
    await api.call('POST', '/workflows', savedSchema, { ...workflow, active: false });
    say(`Imported '${workflow.name}'.`);
  }
}
