import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DEFAULT_API_KEY } from 'audience-sandbox';
import { z } from 'zod/v4-mini';
import { startCommand } from '../hosts/sandbox/command.js';
import { median, ratio } from './report.js';
import type { Report, Target } from './report.js';

const CONNECTIONS = 64;
const ROUNDS = 6;
const CALLS_PER_ROUND = 3_000;
const HELD = 100_000;

interface Contender {
  readonly name: string;
  readonly url: URL;
  readonly end: () => Promise<unknown>;
  readonly rates: Map<string, number[]>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  body?(number: number): unknown;
}

/** What is measured: reading a contact, and sending mails with a key each. */
const CALLS: Readonly<Record<string, Call>> = {
  'read a contact': { method: 'GET', path: '/v1/contacts/ada%40example.com' },
  'send a mail': {
    method: 'POST',
    path: '/v1/transactional',
    body: (number) => ({
      email: `person-${number}@example.com`,
      transactionalId: 'design-welcome',
      dataVariables: { firstName: 'Ada', planName: 'Pro' },
    }),
  },
};

/**
 * Requests per second at 64 connections: a bare Node server with the same answers, the command
 * `audience-sandbox` in memory and on SQLite. They take turns in short rounds; told are medians. Then the memory that 100,000 contacts and
 * 100,000 mails take.
 */
export async function bench(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'audience-bench-'));
  const contenders: Contender[] = [];
  try {
    contenders.push(await startBare());
    contenders.push(await startSandbox('in memory'));
    contenders.push(await startSandbox('on SQLite', '--data', join(folder, 'data.db')));
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [name, call] of Object.entries(CALLS)) {
        // Every round begins with another one, so that none always runs on a warmer machine.
        for (let turn = 0; turn < contenders.length; turn += 1) {
          const contender = contenders[(turn + Math.max(round, 0)) % contenders.length];
          if (contender !== undefined) await measure(contender, name, call, round);
        }
      }
    }
    tell(report, contenders);
    for (const { end } of contenders.splice(0)) await end();
    await memory(report);
  } finally {
    for (const { end } of contenders) await end();
    await rm(folder, { recursive: true, force: true });
  }
}

const urlSchema = z.object({ url: z.string() });

async function startBare(): Promise<Contender> {
  const child = fork(join(__dirname, 'sandbox-bare-server.mjs'));
  const messages: unknown[] = await once(child, 'message');
  const end = async (): Promise<unknown> => {
    const ended = once(child, 'exit');
    child.disconnect();
    return ended;
  };
  return { ...contender('bare Node', urlSchema.parse(messages[0]).url), end };
}

async function startSandbox(name: string, ...args: string[]): Promise<Contender & { readonly pid: number }> {
  const { url, pid, end } = await startCommand(...args);
  return { ...contender(name, url), pid, end: () => end('SIGTERM') };
}

function contender(name: string, url: string): Omit<Contender, 'end'> {
  return { name, url: new URL(url), rates: new Map() };
}

let sent = 0;

async function measure(contender: Contender, name: string, call: Call, round: number): Promise<void> {
  const started = performance.now();
  await run(contender.url, call, CALLS_PER_ROUND);
  const rate = (CALLS_PER_ROUND / (performance.now() - started)) * 1000;
  // The first round warms up.
  if (round >= 0) contender.rates.set(name, [...(contender.rates.get(name) ?? []), rate]);
}

async function run(url: URL, call: Call, calls: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = calls;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await send(agent, url, call);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
}

function send(agent: Agent, url: URL, call: Call): Promise<void> {
  sent += 1;
  const body = call.body === undefined ? undefined : JSON.stringify(call.body(sent));
  const headers = {
    authorization: `Bearer ${DEFAULT_API_KEY}`,
    ...(body === undefined
      ? {}
      : {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'idempotency-key': `key-${sent}`,
        }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, host: url.hostname, port: url.port, method: call.method, path: call.path, headers },
      (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode === 200) resolve();
          else
            reject(
              new Error(`${call.method} ${call.path} was answered with ${String(response.statusCode)}.`),
            );
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** What the sandbox should reach, of bare Node. */
const TARGETS: Readonly<Record<string, Target>> = {
  'send a mail, in memory': { atLeast: 0.6 },
  'send a mail, on SQLite': { atLeast: 0.4 },
};

function tell(report: Report, contenders: readonly Contender[]): void {
  report.section('sandbox: requests per second at 64 connections, of bare Node');
  for (const name of Object.keys(CALLS)) {
    const base = median(contenders[0]?.rates.get(name) ?? []);
    for (const contender of contenders) {
      const what = `${name}, ${contender.name}`;
      const rate = median(contender.rates.get(name) ?? []);
      report.figure(what, `${ratio(rate, base)}, ${rate.toFixed(0)}/s`, TARGETS[what]);
    }
  }
}

async function memory(report: Report): Promise<void> {
  const { url, pid, end } = await startSandbox('in memory');
  const resident = (): string => {
    const kibibytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
    return `${(kibibytes / 1024).toFixed(0)} MiB`;
  };
  const empty = resident();
  await run(url, addToAudience, HELD);
  const full = resident();
  // The first fetch of a process loads what it is made of.
  await (await fetch(new URL('/__sandbox/status', url))).text();
  const searched = performance.now();
  const found = await fetch(new URL('/__sandbox/emails?search=member-77777&limit=50', url));
  await found.text();
  report.section(`sandbox: ${HELD.toLocaleString('en')} contacts and as many mails`);
  report.figure('resident', `${full} (${empty} empty)`, { atMost: 300 });
  report.figure('search of the mails', `${(performance.now() - searched).toFixed(0)} ms`, { atMost: 150 });
  await end();
}

const addToAudience: Call = {
  method: 'POST',
  path: '/v1/transactional',
  body: (number) => ({
    email: `member-${number}@example.com`,
    userId: `user-${number}`,
    transactionalId: 'design-welcome',
    addToAudience: true,
    firstName: 'Ada',
    dataVariables: { firstName: 'Ada', planName: 'Pro' },
  }),
};
