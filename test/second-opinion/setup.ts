// Checks every request that core, provider and node make in the integration tests, whatever the test is about.
import { appendFileSync } from 'node:fs';
import type { WireRequest } from './check-request.js';
import { tapServers } from './wire.js';

/** The programs by which requests are known as ours; a test that means to send something wrong sends it itself. */
const OURS = /^(audience-core|pulumi-audience|n8n-nodes-audience)\b/;

const received: { readonly agent: string; readonly request: WireRequest }[] = [];
const checked = new Map<string, number>();

const stop = tapServers((request) => {
  const agent = OURS.exec(String(request.headers['user-agent']))?.[1];
  if (agent !== undefined) received.push({ agent, request });
});

async function tell(): Promise<void> {
  const requests = received.splice(0);
  if (requests.length === 0) return;
  // Loaded here, as many files make no such request.
  const { checkRequest } = await import('./check-request.js');
  const found = requests.flatMap(({ agent, request }) => {
    checked.set(agent, (checked.get(agent) ?? 0) + 1);
    const text = `${agent}: ${request.method} ${request.target} ${request.body.slice(0, 300)}`;
    return checkRequest(request).problems.map((problem) => `${text}: ${problem}`);
  });
  if (found.length > 0)
    throw new Error(`By test/second-opinion/openapi.yaml these requests are wrong:\n${found.join('\n')}`);
}

afterEach(tell);
afterAll(async () => {
  stop();
  await tell();
  const file = process.env['AUDIENCE_CHECKED_REQUESTS'];
  if (file !== undefined)
    appendFileSync(file, [...checked].map(([agent, count]) => `${agent} ${count}\n`).join(''));
});
