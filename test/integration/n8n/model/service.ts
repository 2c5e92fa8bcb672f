import { createHash } from 'node:crypto';
import type { IHttpRequestOptions } from 'n8n-workflow';
import * as z from 'zod/v4';

/** What a service does with a used key. */
export type Kind = 'replays' | 'refuses' | 'binds';

/** What goes wrong with a request. */
export type Fate = 'ok' | '500' | 'lost before' | 'lost after' | 'slow';

/** A number from 0 to 1. */
export type Random = () => number;

/** An email that was received. */
export interface Received {
  readonly to: string;
  /** Which input item it is of, as the email's variable says. */
  readonly uid: number;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** A request that ended in a time-out of a gateway, and goes on. */
interface Slow {
  readonly key: string;
  readonly email: Received;
  readonly endsAt: number;
  readonly endsWell: boolean;
}

const LONGEST_WORK_MS = 9 * 60_000;

/** The accounts of a service that takes emails, for a model: it knows no more than keys and what was received. */
export class ModelService {
  readonly received: Received[] = [];
  readonly #keys = new Map<string, { state: 'in progress' | 'refused' | 'done'; body: string }>();
  readonly #slow: Slow[] = [];
  requests = 0;

  /** @param says whether a 409 says why. */
  constructor(
    private readonly kind: Kind,
    private readonly says: boolean,
    private readonly random: Random,
    private readonly fates: () => readonly Fate[],
  ) {}

  /** Answers a request to send an email; nothing where the connection is cut. */
  send(key: string, email: Received, text: string): Answer | undefined {
    this.requests += 1;
    this.#settle();
    const body = createHash('sha256')
      .update(JSON.stringify([email, text]))
      .digest('hex');
    const known = this.#keys.get(key);
    if (known?.state === 'in progress')
      return this.#conflict('A request with this idempotency key is in progress');
    if (known !== undefined && this.kind === 'binds' && known.body !== body)
      return { status: 409, body: { message: 'This idempotency key was used with another payload' } };
    if (known?.state === 'done')
      return this.kind === 'replays' ? SENT : this.#conflict('This idempotency key was already used');
    const fate = this.#fate();
    if (fate === 'lost before') return undefined;
    if (text.includes('bad')) {
      if (this.kind === 'binds') this.#keys.set(key, { state: 'refused', body });
      return { status: 400, body: { message: 'The text is bad' } };
    }
    if (fate === '500') return { status: 500, body: {} };
    if (fate === 'slow') {
      this.#keys.set(key, { state: 'in progress', body });
      const endsAt = Date.now() + this.random() * LONGEST_WORK_MS;
      this.#slow.push({ key, email, endsAt, endsWell: this.random() < 0.5 });
      return { status: 504, body: {} };
    }
    this.#keys.set(key, { state: 'done', body });
    this.received.push(email);
    return fate === 'lost after' ? undefined : SENT;
  }

  #fate(): Fate {
    const fates = this.fates();
    return fates[Math.floor(this.random() * fates.length)] ?? 'ok';
  }

  #conflict(message: string): Answer {
    return { status: 409, body: this.says ? { message } : {} };
  }

  #settle(): void {
    for (const slow of this.#slow.filter(({ endsAt }) => endsAt <= Date.now())) {
      this.#slow.splice(this.#slow.indexOf(slow), 1);
      const known = this.#keys.get(slow.key);
      if (!slow.endsWell || known === undefined) this.#keys.delete(slow.key);
      else {
        this.#keys.set(slow.key, { state: 'done', body: known.body });
        this.received.push(slow.email);
      }
    }
  }
}

const SENT: Answer = { status: 200, body: { success: true } };

const DESIGNS = {
  pagination: {
    ...{ totalResults: 1, returnedResults: 1, perPage: 50, totalPages: 1, nextCursor: null, nextPage: null },
  },
  data: [
    {
      ...{ id: 'design', name: 'Model', lastUpdated: '2026-01-01T00:00:00.000Z' },
      dataVariables: ['text', 'uid'],
    },
  ],
};

const textSchema = z.string();
const bodySchema = z.object({
  email: z.string(),
  dataVariables: z.object({ text: z.string(), uid: z.number() }),
});

/** What comes back of a request, in the form of n8n's HTTP helper; an error where the connection is cut. */
export function respond(
  account: ModelService | undefined,
  { method, body, headers = {} }: IHttpRequestOptions,
): { statusCode: number; headers: object; body: string } {
  const of = (statusCode: number, json: object) => ({ statusCode, headers: {}, body: JSON.stringify(json) });
  if (method === 'GET') return of(200, DESIGNS);
  const { email, dataVariables } = bodySchema.parse(JSON.parse(textSchema.parse(body)));
  const keys = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'idempotency-key');
  const received = { to: email, uid: dataVariables.uid };
  const said = account?.send(textSchema.parse(keys[0]?.[1]), received, dataVariables.text);
  if (said === undefined) throw Object.assign(new Error('The connection was cut.'), { code: 'ECONNRESET' });
  return of(said.status, said.body);
}
