import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod/v4-mini';
import { ratio } from './report.js';
import type { Report } from './report.js';

/** What a service does to its clients, and what they want of it. */
interface Load {
  readonly what: string;
  readonly clients: number;
  /** Calls of one client at once. */
  readonly atOnce: number;
  /** Calls of all clients together. */
  readonly calls: number;
  /** Requests per second that the service takes, and how many of them at once; without it there is no limit. */
  readonly limit?: { readonly perSecond: number; readonly burst: number; readonly forMs?: number };
  readonly latencyMs: number;
  /** Share that is refused for no reason. */
  readonly chance?: number;
  /** What the adaptive rate should take, of the ideal. */
  readonly target?: number;
}

interface Outcome {
  readonly seconds: number;
  readonly failed: number;
  readonly refused: number;
  /** Requests accepted in each tenth of a second. */
  readonly accepted: readonly number[];
}

const LIMIT = { perSecond: 200, burst: 20 };
const BURSTS = { perSecond: 200, burst: 200 };
const LOADS: readonly Load[] = [
  { what: '1 client', clients: 1, atOnce: 16, calls: 5_000, limit: LIMIT, latencyMs: 40, target: 1.25 },
  { what: '1 client, burst of 200', clients: 1, atOnce: 64, calls: 4_000, limit: BURSTS, latencyMs: 40 },
  { what: '4 clients', clients: 4, atOnce: 16, calls: 5_000, limit: LIMIT, latencyMs: 40, target: 1.35 },
  { what: '4 clients, no latency', clients: 4, atOnce: 16, calls: 5_000, limit: LIMIT, latencyMs: 0 },
  { what: '8 clients', clients: 8, atOnce: 16, calls: 4_000, limit: LIMIT, latencyMs: 40 },
];
const BY_CHANCE: Load = {
  what: '1 client, 5 % by chance',
  clients: 1,
  atOnce: 16,
  calls: 3_000,
  latencyMs: 40,
  chance: 0.05,
};
const LIMITED_FOR_MS = 10_000;
const REMOVED: Load = {
  what: '2 clients, limit removed',
  clients: 2,
  atOnce: 16,
  calls: 10_000,
  limit: { ...LIMIT, forMs: LIMITED_FOR_MS },
  latencyMs: 40,
};

/**
 * Clients in processes of their own against a service with a limit: the time that they take against that which the
 * limit allows at best.
 */
export async function bench(report: Report): Promise<void> {
  report.section(`core: ${LIMIT.perSecond} requests a second, ${LIMIT.burst} at once; time, of the ideal`);
  for (const load of LOADS) await compare(report, load, ideal(load));
  await compare(report, BY_CHANCE, ideal(BY_CHANCE));
  const { accepted } = await measure(REMOVED);
  report.figure(REMOVED.what, `${forgottenAfter(accepted)} s until forgotten`, { atMost: 10 });
}

/** Seconds that a load takes at best. */
function ideal({ calls, clients, atOnce, limit, latencyMs, chance = 0 }: Load): number {
  if (limit !== undefined) return (calls - limit.burst) / limit.perSecond;
  // Each refused call waits for a second, and is sent again.
  const perCall = (latencyMs + chance * 1_000) / (1 - chance) / 1_000;
  return (calls * perCall) / (clients * atOnce);
}

async function compare(report: Report, load: Load, best: number): Promise<void> {
  const { seconds, refused, failed } = await measure(load);
  report.figure(
    load.what,
    `${ratio(seconds, best)}, ${seconds.toFixed(1)} s, ${refused} refused, ${failed} failed`,
    load.target === undefined ? undefined : { atMost: load.target },
  );
}

async function measure(load: Load): Promise<Outcome> {
  const { perSecond, burst, forMs } = {
    forMs: Number.POSITIVE_INFINITY,
    perSecond: 0,
    burst: 0,
    ...load.limit,
  };
  const limitedForMs = load.limit === undefined ? 0 : forMs;
  const server = start('limiter-server.ts', [
    perSecond,
    burst,
    load.latencyMs,
    load.chance ?? 0,
    limitedForMs,
  ]);
  const processes = [server];
  try {
    const url = `http://127.0.0.1:${z.number().parse(await message(server))}`;
    const clients = Array.from({ length: load.clients }, () =>
      start('limiter-client.ts', [url, load.calls / load.clients, load.atOnce]),
    );
    processes.push(...clients);
    await Promise.all(clients.map(message));
    const started = performance.now();
    for (const client of clients) client.send('go');
    const failures = await Promise.all(clients.map(message));
    const seconds = (performance.now() - started) / 1_000;
    server.send('counts');
    const counts = z
      .object({ refused: z.number(), accepted: z.array(z.number()) })
      .parse(await message(server));
    const failed = z.array(z.number()).parse(failures);
    return { seconds, failed: failed.reduce((sum, count) => sum + count, 0), ...counts };
  } finally {
    for (const process of processes) process.disconnect();
    await sleep(200);
  }
}

/** Seconds after the limit was gone until nine tenths of what the clients can send are accepted. */
function forgottenAfter(accepted: readonly number[]): string {
  const unlimited = ((REMOVED.clients * REMOVED.atOnce) / REMOVED.latencyMs) * 100;
  const from = LIMITED_FOR_MS / 100;
  const tenth = accepted.findIndex((count, index) => index >= from && count >= 0.9 * unlimited);
  return tenth < 0 ? 'more' : ((tenth - from) / 10).toFixed(1);
}

function start(file: string, args: readonly (string | number)[]): ChildProcess {
  return fork(join(__dirname, file), args.map(String), { execArgv: ['--import', 'tsx'] });
}

async function message(process: ChildProcess): Promise<unknown> {
  const received: unknown[] = await once(process, 'message');
  return received[0];
}
