import { VirtualTime } from '../../testing/virtual-time.js';
import { AudienceError } from '../errors.js';
import { AudienceApi, TransportFailure, type TransportResponse } from '../internal.js';
import { LightSignal } from './abort.js';
import type { PaceOptions } from './call.js';
import { Pace } from './pace.js';

/** What a service says to a request at a time: accepted, or refused with the seconds that it names, if any. */
type Answer = 'accepted' | { readonly named?: number };
type Service = (now: number, email: string) => Answer;

const accepted = (): Answer => 'accepted';
const refusal = (named?: number): Answer => (named === undefined ? {} : { named });

/** A bucket of tokens, full at first. */
const bucket =
  (perSecond: number | ((now: number) => number), burst: number, named?: number) => (): Service => {
    let [left, at] = [burst, 0];
    return (now) => {
      const rate = typeof perSecond === 'number' ? perSecond : perSecond(now);
      left = Math.min(burst, left + ((now - at) * rate) / 1_000);
      at = now;
      if (left < 1 - 1e-9) return refusal(named);
      left -= 1;
      return 'accepted';
    };
  };

/** So many in each minute of the clock. */
const perMinute = (most: number, isNamed: boolean) => (): Service => {
  let [minute, used] = [-1, 0];
  return (now) => {
    if (Math.floor(now / 60_000) !== minute) used = 0;
    minute = Math.floor(now / 60_000);
    used += 1;
    if (used <= most) return 'accepted';
    return refusal(isNamed ? Math.ceil(60 - (now % 60_000) / 1_000) : undefined);
  };
};

const ofPersons = (named?: number) => (): Service => (_, email) =>
  email.startsWith('busy') ? refusal(named) : 'accepted';

interface Load {
  readonly service: () => Service;
  readonly calls: number;
  /** Seconds at best, at a time of response in milliseconds. */
  readonly best: number | ((responseMs: number) => number);
  /** Requests per call, at most: 1.25 unless given. */
  readonly requests?: number;
  /** Seconds at most, by the time of response: a seventh more than the best, and five, unless given. */
  readonly seconds?: Readonly<Record<number, number>>;
  /** Clients that know nothing of each other. */
  readonly clients?: number;
  /** Milliseconds between two calls; all at once unless given. */
  readonly every?: number;
  /** Whether one response in ten takes two seconds more. */
  readonly isSlow?: boolean;
  /** Requests that the service works on at once; it refuses more. */
  readonly atOnce?: number;
  /** Whether a call is to a person who gets too much: it counts for nothing here. */
  readonly isBusy?: (call: number) => boolean;
  /** Whether nothing is ever accepted. */
  readonly isDead?: boolean;
}

const first = (count: number) => (call: number) => call < count;
const all = (count: number) => (responseMs: number) => (responseMs * count) / 100_000;

const LOADS: Readonly<Record<string, Load>> = {
  '10 a second': { service: bucket(10, 10), calls: 1_000, best: 99 },
  '10 a second, Retry-After: 1': { service: bucket(10, 10, 1), calls: 1_000, best: 99 },
  '10 a second, calls come at 8': { service: bucket(10, 10), calls: 800, best: 100, every: 125 },
  '10 a second, some responses are slow': {
    ...{ service: bucket(10, 10), calls: 1_000, best: 99, isSlow: true },
    seconds: { 50: 330, 5: 200 },
  },
  '1 a second, Retry-After: 3': { service: bucket(1, 5, 3), calls: 200, best: 195, requests: 1.5 },
  '20 a minute, no burst': {
    ...{ service: bucket(1 / 3, 1), calls: 100, best: 297, requests: 3.6 },
    seconds: { 50: 680, 5: 680 },
  },
  '50 a minute': { service: perMinute(50, false), calls: 200, best: 180, requests: 1.8 },
  '50 a minute, Retry-After': { service: perMinute(50, true), calls: 200, best: 180, requests: 1.8 },
  '50 a minute, for long': { service: perMinute(50, true), calls: 1_000, best: 1_140, requests: 1.5 },
  '200 a second': { service: bucket(200, 200), calls: 4_000, best: 19 },
  '200 a second, Retry-After: 1': { service: bucket(200, 200, 1), calls: 4_000, best: 19 },
  ...Object.fromEntries(
    [5, 20, 100].flatMap((clients) =>
      [undefined, 1].map((named): [string, Load] => [
        `10 a second, ${clients} clients, ${named === undefined ? 'no time named' : 'Retry-After: 1'}`,
        {
          ...{ service: bucket(10, 10, named), calls: 1_000, best: 99, clients },
          ...{ requests: { 5: 1.5, 20: 2.3, 100: 5.5 }[clients] ?? 0, seconds: { 50: 125, 5: 125 } },
        },
      ]),
    ),
  ),
  ...Object.fromEntries(
    [1, 2, 5].map((atOnce): [string, Load] => [
      `${atOnce} at once`,
      { service: () => accepted, calls: 300, atOnce, best: (responseMs) => (0.3 / atOnce) * responseMs },
    ]),
  ),
  ...Object.fromEntries(
    [5, 20].flatMap((count) =>
      [undefined, 1, 30, 3_600].map((named): [string, Load] => [
        `${count} persons refused, Retry-After: ${named}`,
        { service: ofPersons(named), calls: 1_000 + count, best: all(1_000), isBusy: first(count) },
      ]),
    ),
  ),
  '100 persons refused, Retry-After: 30': {
    ...{ service: ofPersons(30), calls: 1_100, best: all(1_000), isBusy: first(100) },
    seconds: { 50: 180, 5: 180 },
  },
  'every 11th person refused, Retry-After: 30': {
    ...{ service: ofPersons(30), calls: 1_100, best: all(1_000), isBusy: (call) => call % 11 === 0 },
    seconds: { 50: 90, 5: 20 },
  },
  'every 3rd person refused, Retry-After: 1': {
    ...{ service: ofPersons(1), calls: 1_500, best: all(1_000), isBusy: (call) => call % 3 === 0 },
    ...{ requests: 1.5, seconds: { 50: 1_800, 5: 1_800 } },
  },
  'a quota that is used up, an hour named': {
    ...{ service: () => () => refusal(3_600), calls: 2_000, best: 0, isDead: true },
    ...{ requests: 1, seconds: { 50: 10, 5: 2 } },
  },
  'a quota that is used up, no time named': {
    ...{ service: () => () => refusal(), calls: 2_000, best: 120, isDead: true },
    ...{ requests: 1.1, seconds: { 50: 250, 5: 150 } },
  },
  'no limit': {
    ...{ service: () => accepted, calls: 4_000, best: all(4_000), requests: 1 },
    seconds: { 50: 2.3, 5: 0.23 },
  },
  'rises from 10 to 200 a second': {
    ...{ service: bucket((now) => (now < 30_000 ? 10 : 200), 10), calls: 3_000, best: 43.5 },
  },
  'falls from 200 to 10 a second': {
    ...{ service: bucket((now) => (now < 10_000 ? 200 : 10), 10), calls: 2_500, best: 59 },
  },
};

/** Plays a load in virtual time. `lost` and `seconds` are of the calls to persons who do not get too much. */
async function play(
  { service, calls, clients = 1, every = 0, atOnce = Infinity, ...load }: Load,
  responseMs: number,
) {
  const time = new VirtualTime(responseMs);
  const from = time.now();
  const answerTo = service();
  const seen = { requests: 0, lost: 0, seconds: 0, underWay: 0 };
  const leg = () => time.sleep((responseMs / 2) * (0.8 + 0.4 * time.random()));
  const transport = async ({ body = '' }): Promise<TransportResponse> => {
    seen.requests += 1;
    await leg();
    const isFull = seen.underWay >= atOnce;
    const answer = isFull ? refusal() : answerTo(time.now() - from, body.includes('busy') ? 'busy' : 'other');
    if (!isFull) seen.underWay += 1;
    if (answer === 'accepted' && load.isSlow === true && time.random() < 0.1) await time.sleep(2_000);
    await leg();
    if (!isFull) seen.underWay -= 1;
    if (answer === 'accepted') return { status: 200, headers: {}, body: '{"success":true}' };
    const headers: Record<string, string> =
      answer.named === undefined ? {} : { 'retry-after': String(answer.named) };
    return { status: 429, headers, body: '' };
  };
  const apis = Array.from(
    { length: clients },
    () => new AudienceApi({ baseUrl: 'https://api.example.com', runtime: time, transport }),
  );
  const send = async (call: number): Promise<void> => {
    if (every > 0) await time.sleep(every * call);
    const isBusy = load.isBusy?.(call) === true;
    const email = `${isBusy ? 'busy' : 'other'}@example.com`;
    const end = await apis[call % clients]?.transactional
      .send({ email, transactionalId: 't' })
      .catch((error: unknown) => error);
    if (isBusy) return;
    if (AudienceError.is(end)) seen.lost += 1;
    seen.seconds = (time.now() - from) / 1_000;
  };
  await time.run(Promise.all(Array.from({ length: calls }, (_, call) => send(call))));
  return seen;
}

describe.each([50, 5])('a response takes %i ms', (responseMs) => {
  test.each(Object.entries(LOADS))('%s', async (_, load) => {
    const { calls, isDead = false, best, requests = 1.25 } = load;
    const bestSeconds = typeof best === 'number' ? best : best(responseMs);
    const seen = await play(load, responseMs);
    expect(seen.lost).toBe(isDead ? calls : 0);
    expect(seen.requests / calls).toBeLessThanOrEqual(requests + 1e-6);
    expect(seen.seconds).toBeLessThanOrEqual(load.seconds?.[responseMs] ?? bestSeconds * 1.15 + 5);
  });
});

/** A pace in virtual time, and which calls may begin. */
function scene(options: PaceOptions = {}, lateMs: (sleep: number) => number = () => 0) {
  const time = new VirtualTime();
  const stopped = new LightSignal();
  const clock = { back: 0, sleeps: 0 };
  const runtime = {
    now: () => time.now() - clock.back,
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      time.sleep(milliseconds + lateMs((clock.sleeps += 1)), signal),
  };
  const pace = new Pace(options, runtime, stopped);
  const ends: boolean[] = [];
  const turn = async (signal?: AbortSignal): Promise<void> => void ends.push(await pace.turn(signal));
  return { time, pace, clock, stopped, ends, turn };
}

describe('with requestsPerSecond', () => {
  /** When each of 101 calls begins, with timers that are so late. */
  async function startsWith(lateMs: (sleep: number) => number): Promise<number[]> {
    const { time, pace } = scene({ requestsPerSecond: 100 }, lateMs);
    const from = time.now();
    const starts: number[] = [];
    const call = async (): Promise<void> => {
      await pace.turn(undefined);
      starts.push(time.now() - from);
      pace.accepted();
      pace.release();
    };
    await time.run(Promise.all(Array.from({ length: 101 }, call)));
    return starts;
  }

  test('late timers do not slow it down', async () => {
    const starts = await startsWith(() => 7);
    expect(starts.at(-1)).toBeLessThanOrEqual(1_007);
    starts.forEach((start, index) => expect(start).toBeGreaterThanOrEqual(index * 10));
  });

  test('after a very late timer no burst follows', async () => {
    const starts = await startsWith((sleep) => (sleep === 20 ? 10_000 : 0));
    const late = starts.filter((start) => start >= 10_000);
    expect(late.slice(0, 5).map((start) => start - (late[0] ?? 0))).toEqual([0, 0, 0, 5, 15]);
  });

  test('a clock that is set back does not stop it', async () => {
    const { time, pace, clock } = scene({ requestsPerSecond: 1 });
    expect(await pace.turn(undefined)).toBe(true);
    clock.back = 3_600_000;
    expect(await time.run(pace.turn(undefined))).toBe(1_000);
  });

  test('a pause is never longer than the longest timer', async () => {
    const { time, pace } = scene({ requestsPerSecond: 1e-9 });
    expect(await pace.turn(undefined)).toBe(true);
    expect(await time.run(pace.turn(undefined))).toBe(2 ** 31 - 1);
  });
});

test.each(['its signal', 'stop()'])('%s ends a wait at once, and leaves no sleep behind', async (what) => {
  const { time, stopped, ends, turn } = scene({ requestsPerSecond: 1 });
  const controller = new AbortController();
  await turn(undefined);
  void turn(controller.signal);
  await time.advance(1);
  expect(time.sleeping).toBe(1);
  if (what === 'stop()') stopped.abort();
  else controller.abort();
  await time.advance(0);
  expect([ends, time.sleeping]).toEqual([[true, false], 0]);
});

test('at first 16 requests are under way at most; each two that are accepted open one more', async () => {
  const { time, pace, ends, turn } = scene();
  for (let call = 0; call < 40; call += 1) void turn();
  await time.advance(1_000);
  expect(ends).toHaveLength(16);
  for (let response = 0; response < 2; response += 1) {
    pace.accepted();
    pace.release();
  }
  await time.advance(0);
  expect(ends).toHaveLength(19);
});

test.each<[string, number | 'network' | 'aborted', number]>([
  ['200', 200, 40],
  ['404', 404, 40],
  ['408', 408, 16],
  ['503', 503, 16],
  ['no response', 'network', 16],
  ['a call that was ended', 'aborted', 16],
])('%s: of 40 calls at a time so many are under way', async (_, status, most) => {
  const time = new VirtualTime();
  const seen = { underWay: 0, most: 0 };
  const transport = async (): Promise<TransportResponse> => {
    seen.underWay += 1;
    seen.most = Math.max(seen.most, seen.underWay);
    await time.sleep(50);
    seen.underWay -= 1;
    if (typeof status === 'string') throw new TransportFailure(status);
    return { status, headers: {}, body: '{"success":true}' };
  };
  const api = new AudienceApi({
    baseUrl: 'https://api.example.com',
    runtime: time,
    transport,
    maxRetries: 0,
    concurrency: 40,
  });
  await time.run(Promise.allSettled(Array.from({ length: 400 }, () => api.contacts.update('ada', {}))));
  expect(seen.most).toBe(most);
});

test('after two minutes of nothing but refusals a refused call fails; time without requests is no refusal', async () => {
  const { time, pace } = scene();
  const refused = () => pace.refused({ begunAt: time.now(), namedMs: 0, isAlone: false });
  const ends = [refused()];
  for (let seconds = 0; seconds < 120; seconds += 60) {
    await time.advance(60_000);
    ends.push(refused());
  }
  await time.advance(120_001);
  ends.push(refused());
  expect(ends).toEqual([false, false, true, false]);
});

test('calls begin in order of arrival, and one that gave up takes no turn', async () => {
  const { time, pace } = scene({ concurrency: 1 });
  const begun: string[] = [];
  const controller = new AbortController();
  const call = async (name: string, signal?: AbortSignal): Promise<void> => {
    if (await pace.turn(signal)) begun.push(name);
  };
  void call('first');
  void call('second');
  void call('gives up', controller.signal);
  void call('third');
  await time.advance(0);
  controller.abort();
  for (const name of ['second', 'third', 'fourth']) {
    if (name === 'third') void call('fourth');
    await time.advance(0);
    pace.release();
    await time.advance(0);
    expect(begun.at(-1)).toBe(name);
  }
  expect(begun).toEqual(['first', 'second', 'third', 'fourth']);
});
