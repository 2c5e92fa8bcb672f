import fc from 'fast-check';
import { VirtualTime } from '../../testing/virtual-time.js';
import { AudienceError } from '../errors.js';
import { AudienceApi, TransportFailure } from '../internal.js';
import type { Transport, TransportResponse } from '../internal.js';
import type { KeyScope } from './idempotency.js';
import { EarlierAttempts, speaksOfKey } from './once-only.js';
import type { AttemptOutcome } from './retry.js';

/** What becomes of one request. Times in milliseconds. */
interface Fate {
  /** What happens on the way: nothing, a refusal before it is read, or a connection that is cut. */
  readonly way: 'through' | 'unreachable' | '429' | 'cut';
  /** When the connection is cut, if it is. */
  readonly cutAfter: number;
  /** How long the service works on it. */
  readonly workMs: number;
  /** How that ends: carried out, refused, or failed; or carried out and then reported as failed. */
  readonly end: 'done' | 404 | 503 | 'done-503';
}

type Kind = 'replay' | 'refuse';

const reply = (status: number, body = ''): TransportResponse => ({ status, headers: {}, body });
const SUCCESS = reply(200, '{"success":true}');

/** A service of either kind: it replays the response to a used key, or refuses the key. */
class Service {
  /** The mails that people got. */
  readonly received: string[] = [];
  readonly #busy = new Set<string>();
  readonly #done = new Map<string, string>();

  constructor(
    private readonly kind: Kind,
    private readonly time: VirtualTime,
  ) {}

  async handle(key: string, body: string, { workMs, end }: Fate): Promise<TransportResponse> {
    if (this.#busy.has(key)) return reply(409);
    const before = this.#done.get(key);
    if (before !== undefined) return this.kind === 'replay' && before === body ? SUCCESS : reply(409);
    this.#busy.add(key);
    await this.time.sleep(workMs);
    this.#busy.delete(key);
    if (end === 404 || end === 503) return reply(end);
    this.#done.set(key, body);
    this.received.push(body);
    return end === 'done' ? SUCCESS : reply(503);
  }
}

/** The way to the service and back, with the fates of the requests in order; after those all is well. */
function transportTo(service: Service, time: VirtualTime, fates: readonly Fate[]): Transport {
  let requests = 0;
  return ({ headers, body = '', timeoutMs }) => {
    const fate = fates[requests++] ?? { way: 'through', cutAfter: 0, workMs: 5, end: 'done' };
    if (fate.way === 'unreachable') {
      return Promise.reject(new TransportFailure('network', { networkCode: 'ECONNREFUSED' }));
    }
    if (fate.way === '429') return Promise.resolve(reply(429));
    const response = service.handle(headers['idempotency-key'] ?? '', body, fate);
    const lost = async (after: number, failure: TransportFailure) => {
      await time.sleep(after);
      throw failure;
    };
    const ends = [response, lost(timeoutMs, new TransportFailure('timeout'))];
    if (fate.way === 'cut') ends.push(lost(fate.cutAfter, new TransportFailure('network')));
    for (const end of ends) end.catch(() => undefined);
    return Promise.race(ends);
  };
}

const work = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 100 }) },
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 600_000 }) },
);
const end = fc.constantFrom<Fate['end']>('done', 'done', 404, 503, 'done-503');
const fate = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      way: fc.constant('through' as const),
      cutAfter: fc.constant(0),
      workMs: work,
      end,
    }),
  },
  {
    weight: 2,
    // What is cut goes on for less than the client assumes, see `histories`: of ten seconds here.
    arbitrary: fc
      .record({
        cutAfter: fc.integer({ min: 0, max: 5_000 }),
        workMs: fc.integer({ min: 1, max: 9_900 }),
        end,
      })
      .map((cut) => ({ way: 'cut' as const, ...cut })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('unreachable' as const, '429' as const)
      .map((way) => ({ way, cutAfter: 0, workMs: 1, end: 'done' as const })),
  },
);
const limits = fc.record({
  timeoutMs: fc.constantFrom(200, 2_000, 30_000),
  deadlineMs: fc.constantFrom(1_000, 15_000, 120_000),
  maxRetries: fc.integer({ min: 0, max: 6 }),
});
/** How long a request is taken to be in progress after its connection was cut. */
const inProgressMs = (timeoutMs: number): number => Math.max(10_000, timeoutMs);
/** Long enough for the slowest request to end. */
const LATE_MS = 1_200_000;

type Outcome =
  { readonly ok: true; readonly deduplicated: boolean } | { readonly ok: false; readonly unclear: boolean };

async function outcomeOf(send: Promise<{ deduplicated: boolean }>): Promise<Outcome> {
  try {
    const { deduplicated } = await send;
    return { ok: true, deduplicated };
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    return { ok: false, unclear: error.unclear };
  }
}

function world(kind: Kind, fates: readonly Fate[], seed: number) {
  const time = new VirtualTime(seed);
  const service = new Service(kind, time);
  const api = new AudienceApi({
    baseUrl: 'https://api.example.com',
    transport: transportTo(service, time, fates),
    runtime: time,
    adaptive: false,
  });
  const mail = (to: string) => ({ email: `${to}@example.com`, transactionalId: 't' });
  const copies = (to: string) => service.received.filter((body) => body.includes(`${to}@`)).length;
  return { time, api, mail, copies };
}

const histories = fc
  .record({
    fates: fc.array(fate, { maxLength: 8 }),
    limits,
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map(({ fates, ...rest }) => ({
    ...rest,
    fates: fates.map((one): Fate => {
      const longer = inProgressMs(rest.limits.timeoutMs) / 10_000;
      return one.way === 'cut' ? { ...one, workMs: Math.floor(one.workMs * longer) } : one;
    }),
  }));

describe.each<Kind>(['replay', 'refuse'])('a service that would %s a used key', (kind) => {
  test('"sent" is only said of what arrives exactly once; what arrives is never called failed for good', async () => {
    const seen = { sent: 0, deduplicated: 0, unclear: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(histories, fc.boolean(), async ({ fates, limits: given, seed }, own) => {
        const { time, api, mail, copies } = world(kind, fates, seed);
        const key = own ? { idempotencyKey: 'order-1' } : {};
        let outcome: Outcome | undefined;
        await time.run(
          (async () => {
            outcome = await outcomeOf(api.transactional.send(mail('ada'), { ...given, ...key }));
            await time.sleep(LATE_MS);
          })(),
        );
        if (outcome === undefined) throw new Error('The call did not end.');
        if (outcome.ok) {
          seen[outcome.deduplicated ? 'deduplicated' : 'sent'] += 1;
          expect(copies('ada')).toBe(1);
        } else {
          seen[outcome.unclear ? 'unclear' : 'failed'] += 1;
          expect(copies('ada')).toBeLessThanOrEqual(outcome.unclear ? 1 : 0);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(seen.sent).toBeGreaterThan(130);
    expect(seen.unclear).toBeGreaterThan(30);
    expect(seen.failed).toBeGreaterThan(20);
    expect(seen.deduplicated > 20).toBe(kind === 'refuse');
  }, 60_000);

  test('a key of the caller that belongs to another mail never makes this one "sent"', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ fates, limits: given, seed }) => {
        const { time, api, mail, copies } = world(
          kind,
          [{ way: 'through', cutAfter: 0, workMs: 1, end: 'done' }, ...fates],
          seed,
        );
        let second: Outcome | undefined;
        await time.run(
          (async () => {
            await api.transactional.send(mail('ada'), { idempotencyKey: 'order-1' });
            second = await outcomeOf(
              api.transactional.send(mail('bob'), { ...given, idempotencyKey: 'order-1' }),
            );
          })(),
        );
        expect(second).toMatchObject({ ok: false });
        expect([copies('ada'), copies('bob')]).toEqual([1, 0]);
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  test('repeated with a key that is bound to its content, it arrives once, and in the end it is called sent', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ fates, limits: given, seed }) => {
        // With less nobody can tell a request in progress from one that is done.
        fc.pre(given.deadlineMs > inProgressMs(given.timeoutMs));
        const { time, api, mail, copies } = world(kind, fates, seed);
        const bound = { idempotencyKey: 'run-7-item-3', keyScope: 'content' } as const;
        let last: Outcome | undefined;
        await time.run(
          (async () => {
            for (let turn = 0; turn < 12; turn += 1) {
              last = await outcomeOf(api.transactional.send(mail('ada'), { ...given, ...bound }));
              if (last.ok) break;
              await time.sleep(LATE_MS);
            }
          })(),
        );
        expect(last).toMatchObject({ ok: true });
        expect(copies('ada')).toBe(1);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});

test('the mail of issue "never sent, but success": it outlasts its time-out, is refused late, and is not called sent', async () => {
  for (const kind of ['replay', 'refuse'] as const) {
    const late: Fate = { way: 'through', cutAfter: 0, workMs: 40_000, end: 404 };
    const refused = Array.from({ length: 60 }, () => ({ ...late, workMs: 1 }));
    const { time, api, mail, copies } = world(kind, [late, ...refused], 1);
    let outcome: Outcome | undefined;
    await time.run(
      (async () => {
        outcome = await outcomeOf(api.transactional.send(mail('ada')));
      })(),
    );
    expect(outcome?.ok).toBe(false);
    expect(copies('ada')).toBe(0);
  }
});

test('who repeats with a bound key right after a crash is not told "sent" of a request that is in progress and then fails', async () => {
  for (const kind of ['replay', 'refuse'] as const) {
    const failing: Fate = { way: 'through', cutAfter: 0, workMs: 25_000, end: 404 };
    const { time, api, mail, copies } = world(kind, [failing], 1);
    const bound = { idempotencyKey: 'order-1', keyScope: 'content' } as const;
    const outcomes: Outcome[] = [];
    await time.run(
      (async () => {
        const impatient = { ...bound, timeoutMs: 300, maxRetries: 0 };
        outcomes.push(await outcomeOf(api.transactional.send(mail('ada'), impatient)));
        outcomes.push(await outcomeOf(api.transactional.send(mail('ada'), bound)));
      })(),
    );
    expect(outcomes).toEqual([
      { ok: false, unclear: true },
      { ok: true, deduplicated: false },
    ]);
    expect(copies('ada')).toBe(1);
  }
});

test('a gateway that gives up early while the service goes on, and fails, is not taken for "sent"', async () => {
  for (const kind of ['replay', 'refuse'] as const) {
    const given: Fate = { way: 'cut', cutAfter: 300, workMs: 25_000, end: 404 };
    const { time, api, mail, copies } = world(kind, [given], 1);
    let outcome: Outcome | undefined;
    await time.run(
      (async () => {
        outcome = await outcomeOf(api.transactional.send(mail('ada')));
      })(),
    );
    expect(outcome).toEqual({ ok: true, deduplicated: false });
    expect(copies('ada')).toBe(1);
  }
});

test('a 409 to the first attempt with a key that nobody can have used before is not called sent', async () => {
  const { time, api, mail, copies } = world('refuse', [], 1);
  const bound = { idempotencyKey: 'run-8-item-1', keyScope: 'content' } as const;
  const outcomes: Outcome[] = [];
  await time.run(
    (async () => {
      for (const keyScope of ['content', 'call', 'content'] as const)
        outcomes.push(await outcomeOf(api.transactional.send(mail('ada'), { ...bound, keyScope })));
    })(),
  );
  expect(outcomes).toEqual([
    { ok: true, deduplicated: false },
    { ok: false, unclear: true },
    { ok: true, deduplicated: true },
  ]);
  expect(copies('ada')).toBe(1);
});

test.each([
  [true, ''],
  [true, ' \n'],
  [true, '{}'],
  [true, ' { "success" : false }\n'],
  [true, '{"success":false,"message":"Idempotency key already used"}'],
  [true, '{"message":"This request is already in progress"}'],
  [true, '{"error":{"message":"Duplicate request"}}'],
  [true, 'The key of the caller was used'],
  [false, '{"message":"The request with this idempotency key failed"}'],
  [false, '{"success":true}'],
  [false, '{"id":7}'],
  [false, '{"message":"A contact with this email exists already"}'],
  [false, '{"message":"We got your request. The address was used"}'],
])('a 409 speaks of a used key: %s, for %j', (expected, body) => {
  expect(speaksOfKey(body)).toBe(expected);
});

const response = (status: number): AttemptOutcome => ({ kind: 'response', status });
const cut: AttemptOutcome = { kind: 'network', neverSent: false };

test.each<[KeyScope, string, AttemptOutcome[], number, string]>([
  ['anything', 'nothing before', [], 0, 'conflict'],
  ['call', 'nothing before', [], 0, 'conflict'],
  ['content', 'nothing before, which another process may have begun', [], 0, 'in-progress'],
  ['call', 'a refusal, which used no key', [response(429)], 60_000, 'conflict'],
  ['anything', 'a cut connection, just now', [cut], 29_999, 'in-progress'],
  ['anything', 'a cut connection, long ago', [cut], 30_000, 'conflict'],
  ['call', 'a cut connection, just now', [cut], 29_999, 'in-progress'],
  ['call', 'a cut connection, long ago', [cut], 30_000, 'sent-before'],
  ['content', 'a 503, just now', [response(503)], 29_999, 'in-progress'],
  ['content', 'a 503, long ago', [response(503)], 30_000, 'sent-before'],
  ['content', "a gateway's time-out, long ago", [response(504)], 3_600_000, 'in-progress'],
  ['content', "a service's time-out, long ago", [response(408)], 3_600_000, 'in-progress'],
  ['content', 'a time-out of ours, long ago', [{ kind: 'timeout' }], 3_600_000, 'in-progress'],
  ['content', 'a time-out, and a cut after it', [{ kind: 'timeout' }, cut], 3_600_000, 'in-progress'],
])("a 409 to a key that goes with '%s', after %s", (scope, _after, outcomes, ms, kind) => {
  const earlier = new EarlierAttempts(scope, 30_000);
  for (const outcome of outcomes) earlier.add(outcome, 0, 0);
  expect(earlier.meaningOfConflict(ms).kind).toBe(kind);
});

test.each([
  [9_999, 'sent-before', false],
  [10_000, 'in-progress', true],
])(
  'a connection that ends after %d ms without an answer: a 409 an hour later means %s',
  (ms, kind, mayBeInProgress) => {
    const earlier = new EarlierAttempts('content', 30_000);
    earlier.add(cut, 0, ms);
    expect(earlier.meaningOfConflict(ms + 3_600_000).kind).toBe(kind);
    expect(earlier.mayBeInProgress).toBe(mayBeInProgress);
  },
);

test('a 409 that may be of a request in progress is asked about until it cannot be', () => {
  const earlier = new EarlierAttempts('content', 1_000);
  expect(earlier.meaningOfConflict(5_000)).toEqual({ kind: 'in-progress', until: 15_000 });
  expect(earlier.meaningOfConflict(14_999)).toEqual({ kind: 'in-progress', until: 15_000 });
  expect(earlier.meaningOfConflict(15_000)).toEqual({ kind: 'sent-before' });
});
