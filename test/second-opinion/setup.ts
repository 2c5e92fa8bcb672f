// Checks every request that core, provider and node make in the integration tests, whatever the test is about.
import { appendFileSync } from 'node:fs';
import { checkRequest } from './check-request.js';
import { tapServers } from './wire.js';

/** The programs by which requests are known as ours; a test that means to send something wrong sends it itself. */
const OURS = /^(audience-core|pulumi-audience|n8n-nodes-audience)\b/;

const problems: string[] = [];
const checked = new Map<string, number>();

const stop = tapServers((request) => {
  const agent = OURS.exec(String(request.headers['user-agent']))?.[1];
  if (agent === undefined) return;
  const verdict = checkRequest(request);
  checked.set(agent, (checked.get(agent) ?? 0) + 1);
  const text = `${agent}: ${request.method} ${request.target} ${request.body.slice(0, 300)}`;
  problems.push(...verdict.problems.map((problem) => `${text}: ${problem}`));
});

function tell(): void {
  const found = problems.splice(0);
  if (found.length === 0) return;
  throw new Error(`By test/second-opinion/openapi.yaml these requests are wrong:\n${found.join('\n')}`);
}

afterEach(tell);
afterAll(() => {
  stop();
  const file = process.env['AUDIENCE_CHECKED_REQUESTS'];
  if (file !== undefined) {
    appendFileSync(file, [...checked].map(([agent, count]) => `${agent} ${count}\n`).join(''));
  }
  tell();
});
