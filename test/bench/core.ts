import { Agent } from 'node:http';
import { AudienceClient } from 'audience-core';
import { AudienceClient as FetchClient } from 'audience-core/fetch';
import axios from 'axios';
import { LoopsClient } from 'loops';
import { post, startBareServer } from './bare.js';
import { measure, medianTaken, megabytesHeld, ratios, type Report, type Taken } from './report.js';

const MAIL = { email: 'ada@example.com', transactionalId: 'welcome', dataVariables: { firstName: 'Ada' } };
const ROUNDS = 15;
const CALLS_PER_ROUND = 1_000;
const CALLS_FOR_HEAP = 100_000;

type Call = () => Promise<unknown>;

/**
 * What a call takes, one at a time and 64 at once: bare `node:http`, bare axios, npm's `loops` SDK, this core. The
 * contenders take turns in short rounds; the report has the median of each, and its ratio to bare axios.
 */
export async function bench(report: Report): Promise<void> {
  const { url, end } = await startBareServer();
  try {
    const contenders = new Map<string, Call>([
      ['node:http', bareHttp(url)],
      ['axios', bareAxios(url)],
      ['loops SDK', loops(url)],
      ['audience-core', core(url)],
      ['audience-core/fetch', overFetch(url)],
    ]);
    await compare(report, contenders, 1, 0.9);
    await compare(report, contenders, 64, 0.85);
    await heap(report, core(url));
  } finally {
    await end();
  }
}

function bareHttp(url: string): Call {
  const agent = new Agent({ keepAlive: true });
  return async (): Promise<unknown> => JSON.parse(await post(agent, url, 'key', MAIL));
}

function bareAxios(url: string): Call {
  const client = axios.create({
    baseURL: url,
    httpAgent: new Agent({ keepAlive: true }),
    headers: { authorization: 'Bearer key' },
  });
  return () => client.post('/v1/transactional', MAIL);
}

function loops(url: string): Call {
  const client = new LoopsClient('key');
  client.apiRoot = `${url}/`;
  return () => client.sendTransactionalEmail(MAIL);
}

function core(url: string): Call {
  const audience = new AudienceClient({ baseUrl: url, apiKey: 'key' });
  return () => audience.transactional.send(MAIL);
}

function overFetch(url: string): Call {
  const audience = new FetchClient({ baseUrl: url, apiKey: 'key' });
  return () => audience.transactional.send(MAIL);
}

async function compare(
  report: Report,
  contenders: ReadonlyMap<string, Call>,
  concurrency: number,
  target: number,
): Promise<void> {
  const rounds = new Map<string, Taken[]>([...contenders.keys()].map((name) => [name, []]));
  for (const call of contenders.values()) await round(call, concurrency);
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const [name, call] of contenders)
      rounds.get(name)?.push(await measure(() => round(call, concurrency)));
  }
  const middle = (name: string): Taken => medianTaken(rounds.get(name) ?? []);
  const calls = concurrency === 1 ? 'one call' : `${concurrency} calls`;
  report.section(`core: ${calls} at once, compared with axios (median of ${ROUNDS} rounds)`);
  for (const name of contenders.keys()) {
    const microseconds = ((middle(name).processor * 1_000) / CALLS_PER_ROUND).toFixed(0);
    report.figure(
      name,
      `${ratios(middle(name), middle('axios'))}, ${microseconds} µs of processor time`,
      name === 'audience-core' ? { atMost: target } : undefined,
    );
  }
  // Both use Node's fetch.
  report.figure(
    'audience-core/fetch to loops SDK',
    ratios(middle('audience-core/fetch'), middle('loops SDK')),
    { atMost: 1.25 },
  );
}

/** As many calls as a round has, some of them at once. */
async function round(call: Call, concurrency: number): Promise<void> {
  let left = CALLS_PER_ROUND;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Heap held after many calls, against that after the first ones. */
async function heap(report: Report, call: Call): Promise<void> {
  for (let calls = 0; calls < 5_000; calls += CALLS_PER_ROUND) await round(call, 64);
  const before = megabytesHeld();
  for (let calls = 0; calls < CALLS_FOR_HEAP; calls += CALLS_PER_ROUND) await round(call, 64);
  const after = megabytesHeld();
  report.section('core: heap held');
  report.figure('after 5,000 calls', `${before.toFixed(1)} MiB`);
  report.figure(`after ${CALLS_FOR_HEAP.toLocaleString('en')} more`, `${after.toFixed(1)} MiB`, {
    atMost: Number(before.toFixed(1)),
  });
}
