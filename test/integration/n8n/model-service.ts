import { createHash } from 'node:crypto';
import type { IHttpRequestOptions } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

/**
 * What a service does with a used key: replays the response; refuses it with the status that its documentation names;
 * refuses it and says nothing of it; or binds it to its first payload, also to one that it has refused.
 */
export type Kind = 'replays' | 'refuses, documented' | 'refuses' | 'binds';

/** What goes wrong with a request. */
export type Fate = 'ok' | '500' | 'lost before' | 'lost after' | 'slow' | '409 of its own';

/** A number from 0 to 1. */
export type Random = () => number;

/** An email that was received. */
export interface Received {
  readonly to: string;
  /** Which input item it is of, as the second word of the email's variable says. */
  readonly uid: number;
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
  /** Emails that were asked for although an earlier response said that they are sent. */
  readonly askedAgain: Received[] = [];
  /** Whether nothing listens there. */
  isDown = false;
  readonly #keys = new Map<string, { state: 'in progress' | 'refused' | 'failed' | 'done'; body: string }>();
  readonly #slow: Slow[] = [];
  /** Keys of requests with a response that said so. */
  readonly #told = new Set<string>();

  /** @param mismatch status for a key that is bound to another payload. */
  constructor(
    private readonly kind: Kind,
    private readonly mismatch: number,
    private readonly random: Random,
    private readonly fates: () => readonly Fate[],
  ) {}

  /** What a person sets as 'Used Key Status' in the credential; 0 where the documentation names none. */
  get usedKeyStatus(): number {
    return this.kind === 'refuses, documented' ? 409 : 0;
  }

  /** Emails that the service may still send. */
  get underWay(): readonly Received[] {
    return this.#slow.map(({ email }) => email);
  }

  /** The status of a request to send an email; nothing where the connection is cut. */
  send(key: string, email: Received, text: string): number | undefined {
    if (this.#told.has(key)) this.askedAgain.push(email);
    const status = this.#statusOf(key, email, text);
    if (status === 200) this.#told.add(key);
    return status;
  }

  #statusOf(key: string, email: Received, text: string): number | undefined {
    this.#settle();
    const body = createHash('sha256')
      .update(JSON.stringify([email, text]))
      .digest('hex');
    const known = this.#keys.get(key);
    // A service that documents what 409 means does not respond so to a request in progress.
    if (known?.state === 'in progress') return this.usedKeyStatus === 0 ? 409 : 503;
    if (known !== undefined && this.kind === 'binds' && known.body !== body) return this.mismatch;
    if (known?.state === 'done') return this.kind === 'replays' || this.kind === 'binds' ? 200 : 409;
    if (known?.state === 'failed') return 409;
    const fate = this.#fate();
    if (fate === '409 of its own' && this.usedKeyStatus === 0) return 409;
    if (fate === 'lost before') return undefined;
    if (text.includes('bad')) {
      if (this.kind === 'binds') this.#keys.set(key, { state: 'refused', body });
      return 400;
    }
    if (fate === '500') {
      if (this.kind === 'refuses' && this.random() < 0.5) this.#keys.set(key, { state: 'failed', body });
      return 500;
    }
    if (fate === 'slow') {
      this.#keys.set(key, { state: 'in progress', body });
      const endsAt = Date.now() + this.random() * LONGEST_WORK_MS;
      this.#slow.push({ key, email, endsAt, endsWell: this.random() < 0.5 });
      return 504;
    }
    this.#keys.set(key, { state: 'done', body });
    this.received.push(email);
    return fate === 'lost after' ? undefined : 200;
  }

  #fate(): Fate {
    const fates = this.fates();
    return fates[Math.floor(this.random() * fates.length)] ?? 'ok';
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

const DESIGNS = {
  pagination: {
    ...{ totalResults: 1, returnedResults: 1, perPage: 50, totalPages: 1, nextCursor: null, nextPage: null },
  },
  data: [
    {
      ...{ id: 'design', name: 'Model', lastUpdated: '2026-01-01T00:00:00.000Z' },
      dataVariables: ['text'],
    },
  ],
};

const textSchema = z.string();
const bodySchema = z.object({
  email: z.string(),
  dataVariables: z.object({ text: z.string() }),
});

/** What comes back of a request, in the form of n8n's HTTP helper; an error where the connection is cut. */
export function respond(
  account: ModelService | undefined,
  { method, body, headers = {} }: IHttpRequestOptions,
): { statusCode: number; headers: object; body: string } {
  const of = (statusCode: number, json: object) => ({ statusCode, headers: {}, body: JSON.stringify(json) });
  if (method === 'GET') return of(200, DESIGNS);
  if (account?.isDown === true)
    throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
  const { email, dataVariables } = bodySchema.parse(JSON.parse(textSchema.parse(body)));
  const keys = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'idempotency-key');
  const received = { to: email, uid: Number(dataVariables.text.split(' ')[1]) };
  const status = account?.send(textSchema.parse(keys[0]?.[1]), received, dataVariables.text);
  if (status === undefined) throw Object.assign(new Error('The connection was cut.'), { code: 'ECONNRESET' });
  return of(status, status === 200 ? { success: true } : {});
}
