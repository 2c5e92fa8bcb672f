import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DEFAULT_API_KEY, startSandbox as startHere } from 'audience-sandbox';
import { startCommand } from '../hosts/sandbox/command.js';
import { post, startBareServer } from './bare.js';
import { median, ratio, type Report, type Target } from './report.js';

const CONNECTIONS = 64;
const ROUNDS = 6;
const CALLS_PER_ROUND = 3_000;
const HELD = 100_000;

interface Contender {
  readonly name: string;
  readonly url: string;
  readonly target?: Target;
  readonly end: () => Promise<unknown>;
  /** Emails a second, in each round. */
  readonly rates: number[];
}

/** The body of the email of that number. */
type Body = (number: number) => object;

const VARIABLES = { transactionalId: 'design-welcome', dataVariables: { firstName: 'Ada', planName: 'Pro' } };
const toSomebody: Body = (number) => ({ email: `person-${number}@example.com`, ...VARIABLES });
const toAMember: Body = (number) => ({
  ...{ email: `member-${number}@example.com`, userId: `user-${number}`, ...VARIABLES },
  ...{ addToAudience: true, firstName: 'Ada' },
});

/**
 * Emails a second at 64 connections: a Node server that only responds, and the command `audience-sandbox` in memory and
 * on SQLite, in short rounds by turns. Then what open waits cost, and the memory that 100,000 contacts, emails and
 * logged requests take.
 */
export async function bench(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'audience-bench-'));
  const contenders: Contender[] = [];
  try {
    contenders.push(await startBare());
    contenders.push(await startSandbox('in memory', { atLeast: 0.6 }));
    contenders.push(await startSandbox('on SQLite', { atLeast: 0.4 }, '--data', join(folder, 'data.db')));
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const { url, rates } of contenders) {
        const started = performance.now();
        await sendAll(url, toSomebody, CALLS_PER_ROUND);
        // The first round warms up.
        if (round >= 0) rates.push((CALLS_PER_ROUND / (performance.now() - started)) * 1000);
      }
    }
    report.section('sandbox: emails a second at 64 connections, of bare Node');
    const bare = median(contenders[0]?.rates ?? []);
    for (const { name, rates, target } of contenders)
      report.figure(name, `${ratio(median(rates), bare)}, ${median(rates).toFixed(0)}/s`, target);
  } finally {
    for (const { end } of contenders) await end();
    await rm(folder, { recursive: true, force: true });
  }
  await waits(report);
  await memory(report);
}

async function startBare(): Promise<Contender> {
  return { name: 'bare Node', ...(await startBareServer()), rates: [] };
}

async function startSandbox(name: string, target: Target, ...args: string[]): Promise<Contender> {
  const { url, end } = await startCommand(...args);
  return { name, url, target, end: () => end('SIGTERM'), rates: [] };
}

let sent = 0;

async function sendAll(url: string, body: Body, calls: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = calls;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      sent += 1;
      await post(agent, url, DEFAULT_API_KEY, body(sent), `key-${sent}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
}

/** The processor time of emails while ten waits are open, and that of ten times as many. */
async function waits(report: Report): Promise<void> {
  const cost = async (emails: number) => {
    const sandbox = await startHere();
    const nobody = Array.from({ length: 10 }, (_, number) => ({ to: `nobody-${number}@example.com` }));
    const open = nobody.map((filter) => sandbox.waitForEmail({ ...filter, timeoutMs: 60_000 }));
    const ended = Promise.allSettled(open);
    const before = process.cpuUsage();
    await sendAll(sandbox.url, toSomebody, emails);
    const { user, system } = process.cpuUsage(before);
    await sandbox.close();
    await ended;
    return user + system;
  };
  await cost(CALLS_PER_ROUND);
  const few = await cost(CALLS_PER_ROUND);
  const many = await cost(10 * CALLS_PER_ROUND);
  report.section('sandbox: ten times the emails while ten waits are open');
  report.figure('processor time', `${(many / few).toFixed(1)} times`, { atMost: 12 });
}

async function memory(report: Report): Promise<void> {
  const { url, pid, end } = await startCommand();
  const resident = (): string => {
    const kibibytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
    return `${(kibibytes / 1024).toFixed(0)} MiB`;
  };
  const empty = resident();
  await sendAll(url, toAMember, HELD);
  const full = resident();
  // The first fetch of a process loads what it is made of.
  await (await fetch(new URL('/__sandbox/status', url))).text();
  const searched = performance.now();
  const found = await fetch(new URL('/__sandbox/emails?search=member-77777&limit=50', url));
  await found.text();
  report.section(`sandbox: ${HELD.toLocaleString('en')} contacts, and as many emails and logged requests`);
  report.figure('resident', `${full} (${empty} empty)`, { atMost: 350 });
  report.figure('search of the mails', `${(performance.now() - searched).toFixed(0)} ms`, { atMost: 150 });
  await end('SIGTERM');
}
