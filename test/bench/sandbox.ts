import { execFileSync } from 'node:child_process';
import { Agent } from 'node:http';
import { performance } from 'node:perf_hooks';
import { DEFAULT_API_KEY, startSandbox } from 'audience-sandbox';
import { startCommand } from '../hosts/sandbox/command.js';
import { post } from './bare.js';
import { measure, ratio, type Report } from './report.js';

const CONNECTIONS = 64;
const FEW = 3_000;
const HELD = 100_000;

/** What open waits cost, and the memory that many contacts, emails and logged requests take. */
export async function bench(report: Report): Promise<void> {
  await costOf(FEW);
  const few = await costOf(FEW);
  const many = await costOf(10 * FEW);
  report.section('sandbox: ten times the emails while ten waits are open');
  report.figure('processor time', `${ratio(many, few)} times`, { atMost: 12 });
  await memory(report);
}

async function memory(report: Report): Promise<void> {
  const { url, pid, end } = await startCommand();
  const resident = (): string => {
    const kibibytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
    return `${(kibibytes / 1024).toFixed(0)} MiB`;
  };
  const empty = resident();
  await sendAll(url, HELD);
  const full = resident();
  // The first fetch of a process loads what it is made of.
  await (await fetch(new URL('/__sandbox/status', url))).text();
  const searched = performance.now();
  const found = await fetch(new URL('/__sandbox/emails?search=person-77777&limit=50', url));
  await found.text();
  report.section(`sandbox: ${HELD.toLocaleString('en')} contacts, and as many emails and logged requests`);
  report.figure('resident', `${full} (${empty} empty)`, { atMost: 350 });
  report.figure('search of the emails', `${(performance.now() - searched).toFixed(0)} ms`, { atMost: 150 });
  await end('SIGTERM');
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
      const email = {
        email: `person-${left}@example.com`,
        transactionalId: 'design-welcome',
        dataVariables: { firstName: 'Ada', planName: 'Pro' },
        addToAudience: true,
      };
      await post(agent, url, DEFAULT_API_KEY, email);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
}
