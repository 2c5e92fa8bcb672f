import fc from 'fast-check';
import { endOf, type End } from '../../testing/ends.js';
import { VirtualTime } from '../../testing/virtual-time.js';
import {
  AudienceApi,
  TransportFailure,
  type CallOptions,
  type Transport,
  type TransportResponse,
} from '../internal.js';

/**
 * The model of rule 3: a call succeeds only if the service has received it, exactly once; and nothing that it has
 * received is called failed, unless the error says `unclear`.
 */

/** What a service does with a key that it has seen. */
type Kind = 'replays' | 'refuses' | 'binds' | 'documented';

/** What becomes of one request. Times in milliseconds. */
interface Fate {
  /** What happens on the way. A gateway gives up early while the service goes on; a cut ends the work. */
  readonly way: 'through' | 'unreachable' | '429' | 'cut' | 'gateway-502' | 'gateway-504';
  /** When the connection is cut or the gateway gives up. */
  readonly after: number;
  /** How long the service works on the request. */
  readonly workMs: number;
  /** How the work ends. `done-500` is carried out and then reported as failed; 409 is a conflict of the service's own. */
  readonly end: 'done' | 404 | 409 | 500 | 'done-500';
}

const reply = (status: number): TransportResponse => ({ status, headers: {}, body: '' });
const SUCCESS: TransportResponse = { status: 200, headers: {}, body: '{"success":true}' };
const WELL: Fate = { way: 'through', after: 0, workMs: 5, end: 'done' };

class Service {
  /** The emails that people received. */
  readonly received: string[] = [];
  readonly #seen = new Map<string, { readonly body: string; state: 'busy' | 'done' | 'refused' | 'kept' }>();

  constructor(
    private readonly kind: Kind,
    /** The status of a used key with another body. */
    private readonly mismatch: number,
    private readonly time: VirtualTime,
  ) {}

  async handle(key: string, body: string, { workMs, end }: Fate): Promise<TransportResponse> {
    const seen = this.#seen.get(key);
    // Who documents what 409 means gives it only where the request was carried out.
    if (seen?.state === 'busy') return reply(this.kind === 'documented' ? 503 : 409);
    if (seen !== undefined && this.kind === 'binds' && seen.body !== body) return reply(this.mismatch);
    if (seen?.state === 'done')
      return this.kind === 'replays' || this.kind === 'binds' ? SUCCESS : reply(409);
    if (seen?.state === 'kept') return reply(409);
    this.#seen.set(key, { body, state: 'busy' });
    await this.time.sleep(workMs);
    if (end === 404 || end === 500 || (end === 409 && this.kind !== 'documented')) {
      this.#seen.delete(key);
      if (this.kind === 'binds' && end === 404) this.#seen.set(key, { body, state: 'refused' });
      if (this.kind === 'refuses' && end === 500) this.#seen.set(key, { body, state: 'kept' });
      return reply(end);
    }
    this.#seen.set(key, { body, state: 'done' });
    this.received.push(body);
    return end === 'done-500' ? reply(500) : SUCCESS;
  }
}

/** The way to the service and back, with the fates of the requests in order. After those all is well. */
function transportTo(service: Service, time: VirtualTime, fates: readonly Fate[]): Transport {
  let requests = 0;
  return ({ headers, body = '', timeoutMs }) => {
    const fate = fates[requests++] ?? WELL;
    if (fate.way === 'unreachable')
      return Promise.reject(
        new TransportFailure('network', { networkCode: 'ECONNREFUSED', neverSent: true }),
      );
    if (fate.way === '429') return Promise.resolve(reply(429));
    const isCut = fate.way === 'cut';
    const work = isCut ? { ...fate, workMs: Math.min(fate.workMs, fate.after) } : fate;
    const response = service.handle(headers['idempotency-key'] ?? '', body, work);
    const later = async (after: number, end: () => TransportResponse): Promise<TransportResponse> => {
      await time.sleep(after);
      return end();
    };
    const fail = (failure: TransportFailure) => (): TransportResponse => {
      throw failure;
    };
    const ends = [later(timeoutMs, fail(new TransportFailure('timeout')))];
    if (isCut) ends.push(later(fate.after, fail(new TransportFailure('network'))));
    else ends.push(response);
    if (fate.way === 'gateway-502') ends.push(later(fate.after, () => reply(502)));
    if (fate.way === 'gateway-504') ends.push(later(fate.after, () => reply(504)));
    for (const end of ends) end.catch(() => undefined);
    return Promise.race(ends);
  };
}

const MOSTLY = Array<'through'>(3).fill('through');
const fate: fc.Arbitrary<Fate> = fc.record({
  way: fc.constantFrom<Fate['way'][]>(...MOSTLY, 'cut', 'gateway-502', 'gateway-504', 'unreachable', '429'),
  after: fc.constantFrom(1, 100, 5_000),
  workMs: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 100, max: 600_000 })),
  end: fc.constantFrom<Fate['end'][]>('done', 'done', 404, 409, 500, 'done-500'),
});
const histories = fc.record({
  kind: fc.constantFrom<Kind>('replays', 'refuses', 'binds', 'documented'),
  mismatch: fc.constantFrom(400, 409, 422),
  fates: fc.array(fate, { maxLength: 8 }),
  limits: fc.record({
    timeoutMs: fc.constantFrom(200, 2_000, 30_000),
    deadlineMs: fc.constantFrom(1_000, 15_000, 120_000),
    maxRetries: fc.integer({ min: 0, max: 6 }),
  }),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});
/** Long enough for the slowest request to end. */
const LATE_MS = 1_200_000;

function world(kind: Kind, mismatch: number, fates: readonly Fate[], seed = 1) {
  const time = new VirtualTime(seed);
  const service = new Service(kind, mismatch, time);
  const api = new AudienceApi({
    baseUrl: 'https://api.example.com',
    transport: transportTo(service, time, fates),
    runtime: time,
    usedKeyStatus: kind === 'documented' ? 409 : undefined,
  });
  /** Lets time pass until the work is done. */
  const inTime = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const working = work();
    await time.run(working);
    return working;
  };
  const mail = (to: string) => ({ email: `${to}@example.com`, transactionalId: 't' });
  const send = (to: string, options: CallOptions) =>
    inTime(() => endOf(api.transactional.send(mail(to), options)));
  const copies = (to: string) => service.received.filter((body) => body.includes(`${to}@`)).length;
  return { time, send, copies };
}

test('an email reported as sent is received once, and a received email is never reported as failed', async () => {
  const seen = { sent: 0, deduplicated: 0, unclear: 0, 'not sent': 0 };
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.constantFrom('minted', 'own', 'fresh'),
      async ({ kind, mismatch, fates, limits, seed }, key) => {
        const { time, send, copies } = world(kind, mismatch, fates, seed);
        const own = key === 'minted' ? {} : { idempotencyKey: 'order-1', earlierRequest: key === 'own' };
        const end = await send('ada', { ...limits, ...own });
        await time.advance(LATE_MS);
        seen[end] += 1;
        if (end === 'unclear') expect(copies('ada')).toBeLessThanOrEqual(1);
        else expect(copies('ada')).toBe(end === 'not sent' ? 0 : 1);
      },
    ),
    { numRuns: 2_000 },
  );
  expect(seen.sent).toBeGreaterThan(400);
  expect(seen.unclear).toBeGreaterThan(200);
  expect(seen['not sent']).toBeGreaterThan(100);
  expect(seen.deduplicated).toBeGreaterThan(10);
}, 60_000);

test('of two calls with one key none is called not sent that was received, with and without earlierRequest', async () => {
  const seen = { sent: 0, deduplicated: 0, unclear: 0, 'not sent': 0 };
  await fc.assert(
    fc.asyncProperty(histories, async ({ kind, mismatch, fates, limits, seed }) => {
      const { time, send, copies } = world(kind, mismatch, fates, seed);
      let earlierRequest = false;
      for (let call = 0; call < 3; call += 1) {
        const end: End = await send('ada', { ...limits, idempotencyKey: 'order-1', earlierRequest });
        // A second process may begin while the service is still at work.
        if (seed % 2 === 0) await time.advance(LATE_MS);
        seen[end] += 1;
        if (end !== 'unclear') expect(copies('ada')).toBe(end === 'not sent' ? 0 : 1);
        if (end !== 'not sent') earlierRequest = true;
      }
    }),
    { numRuns: 1_000 },
  );
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(50);
}, 60_000);

test('a key of another email never reports this email as sent', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ kind, mismatch, fates, limits, seed }) => {
      const binding = kind === 'refuses' ? kind : 'binds';
      const { send, copies } = world(binding, mismatch, [WELL, ...fates], seed);
      await send('ada', { idempotencyKey: 'order-1' });
      const second = await send('bob', { ...limits, idempotencyKey: 'order-1' });
      expect(['unclear', 'not sent']).toContain(second);
      expect([copies('ada'), copies('bob')]).toEqual([1, 0]);
    }),
    { numRuns: 300 },
  );
}, 60_000);

test('an email repeated with a key of its content is received once and reported as sent', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ kind: any, mismatch, fates, limits, seed }) => {
      const kind = any === 'replays' ? 'replays' : 'documented';
      const { time, send, copies } = world(kind, mismatch, fates, seed);
      let last: End = 'not sent';
      for (let turn = 0; turn < 12 && !['sent', 'deduplicated'].includes(last); turn += 1) {
        last = await send('ada', { ...limits, idempotencyKey: 'run-7-item-3' });
        await time.advance(LATE_MS);
      }
      expect(['sent', 'deduplicated']).toContain(last);
      expect(copies('ada')).toBe(1);
    }),
    { numRuns: 300 },
  );
}, 60_000);
