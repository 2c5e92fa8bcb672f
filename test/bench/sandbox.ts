import { Agent } from 'node:http';
import { DEFAULT_API_KEY, startSandbox } from 'audience-sandbox';
import { post } from './bare.js';
import { measure, ratio, type Report } from './report.js';

const CONNECTIONS = 64;
const FEW = 3_000;

/** The processor time of emails while ten waits are open, and that of ten times as many. */
export async function bench(report: Report): Promise<void> {
  await costOf(FEW);
  const few = await costOf(FEW);
  const many = await costOf(10 * FEW);
  report.section('sandbox: ten times the emails while ten waits are open');
  report.figure('processor time', `${ratio(many, few)} times`, { atMost: 12 });
}

async function costOf(emails: number): Promise<number> {
  const sandbox = await startSandbox();
  const nobody = Array.from({ length: 10 }, (_, number) => ({ to: `nobody-${number}@example.com` }));
  const open = nobody.map((filter) => sandbox.waitForEmail({ ...filter, timeoutMs: 60_000 }));
  const ended = Promise.allSettled(open);
  const { processor } = await measure(() => sendAll(sandbox.url, emails));
  await sandbox.close();
  await ended;
  return processor;
}

async function sendAll(url: string, emails: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = emails;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const email = { email: `person-${left}@example.com`, transactionalId: 'design-welcome' };
      await post(agent, url, DEFAULT_API_KEY, email);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
}
