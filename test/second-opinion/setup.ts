// Checks every request that core, provider and node make in the integration tests, whatever the test is about.
import type { WireRequest } from './check-request.js';
import { tapServers } from './wire.js';

/** The programs by which requests are known as ours; a test that means to send something wrong sends it itself. */
const OURS = /^(audience-core|pulumi-audience|n8n-nodes-audience)\b/;

const received: WireRequest[] = [];
const stop = tapServers((request) => {
  if (OURS.test(String(request.headers['user-agent']))) received.push(request);
});

async function check(): Promise<void> {
  const requests = received.splice(0);
  if (requests.length === 0) return;
  // Loaded here, as many files make no such request.
  const { checkRequest } = await import('./check-request.js');
  const found = requests.flatMap((request) => {
    const text = `${request.method} ${request.target} ${request.body.slice(0, 300)}`;
    return checkRequest(request).problems.map((problem) => `${text}: ${problem}`);
  });
  if (found.length > 0)
    throw new Error(`By test/second-opinion/openapi.yaml these requests are wrong:\n${found.join('\n')}`);
}

afterEach(check);
afterAll(async () => {
  stop();
  await check();
});
